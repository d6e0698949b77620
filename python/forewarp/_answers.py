"""Answers: what JSON says of them (docs/schema), read by name; for people, notebooks and pandas."""
from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence


class Answer(Mapping[str, Any]):
    """An answer of one launch.  `answer["launch"]` is what its JSON says; `str(answer)` is the text for people."""

    kind = "Answer"

    def __init__(self, data: str, text: str = "") -> None:
        self.json: str = data
        self.text: str = text
        self._data: Optional[Dict[str, Any]] = None

    @property
    def data(self) -> Dict[str, Any]:
        """The JSON, parsed once."""
        if self._data is None:
            self._data = json.loads(self.json)
        return self._data

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __str__(self) -> str:
        return self.text

    @property
    def kernel(self) -> str:
        return str(self.data["kernel"]["name"])

    @property
    def unknowns(self) -> List[Dict[str, Any]]:
        """What the answer leaned on that is not static."""
        return list(self.data.get("unknowns", []))

    def rows(self) -> List[Dict[str, Any]]:
        """What `to_pandas` shows: a row for each part of the answer."""
        return [{"name": key, "value": value} for key, value in self.data.items() if isinstance(value, (int, float, str))]

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.rows())

    def title(self) -> str:
        return f"{self.kind} of {self.kernel}"

    def __repr__(self) -> str:
        return f"<{self.title()}>"

    def _repr_html_(self) -> str:
        return html_table(self.title(), self.rows())


def html_table(title: str, rows: Sequence[Mapping[str, Any]], most: int = 60) -> str:
    """A table for notebooks; all texts are escaped."""
    import html
    def cell(value: Any) -> str:
        if value is None:
            return "<td></td>"
        if isinstance(value, float):
            return f'<td style="text-align:right">{value:.4g}</td>'
        return f"<td>{html.escape(str(value))}</td>"
    names: List[str] = []
    for row in rows[:most]:
        names += [name for name in row if name not in names]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(cell(row.get(name)) for name in names) + "</tr>" for row in rows[:most])
    more = f"<p>and {len(rows) - most} more</p>" if len(rows) > most else ""
    return f"<h4>{html.escape(title)}</h4><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class Prediction(Answer):
    """A prediction; the properties are those of the first model, the best that can answer."""

    kind = "Prediction"

    @property
    def best(self) -> Dict[str, Any]:
        return dict(self.data["predictions"][0])

    @property
    def model(self) -> str:
        return str(self.data["predictions"][0]["model"])

    @property
    def device(self) -> Optional[str]:
        return self.data["device"]

    @property
    def seconds(self) -> float:
        """Of one launch on the device, first block's start to last block's end."""
        return float(self.data["predictions"][0]["seconds"])

    @property
    def interval(self) -> Optional[List[float]]:
        return self.data["predictions"][0]["interval"]

    @property
    def overhead_seconds(self) -> Optional[float]:
        return self.data["predictions"][0]["overhead_seconds"]

    @property
    def watts(self) -> Optional[float]:
        return self.data["predictions"][0]["watts"]

    @property
    def joules(self) -> Optional[float]:
        return self.data["predictions"][0]["joules"]

    @property
    def limiter(self) -> str:
        return str(self.data["predictions"][0]["limiter"])

    @property
    def terms(self) -> List[Dict[str, Any]]:
        """What each resource needs by itself, the slowest first."""
        return list(self.data["predictions"][0]["terms"])

    def rows(self) -> List[Dict[str, Any]]:
        return [{"model": one["model"], **{key: term.get(key) for key in ("name", "seconds", "share", "line")}}
                for one in self.data["predictions"] for term in one["terms"]]

    def title(self) -> str:
        return (f"{self.kernel} on {self.device}: {self.seconds * 1e6:.4g} us, limited by {self.limiter} "
                f"(model {self.model})")


class Counts(Answer):
    """Counts of a launch."""

    kind = "Counts"

    @property
    def operations(self) -> List[Dict[str, Any]]:
        return list(self.data["operations"])

    @property
    def memory(self) -> List[Dict[str, Any]]:
        return list(self.data["memory"])

    def operation(self, operation: str, type: Optional[str] = None) -> int:
        """Executions of an operation, of one type or of all."""
        return sum(int(row["count"]) for row in self.data["operations"]
                   if row["operation"] == operation and type in (None, row["type"]))

    def rows(self) -> List[Dict[str, Any]]:
        memory = [{**row, "operation": f"{row['space']} {row['direction']}"} for row in self.data["memory"]]
        keys = "operation", "type", "array", "bytes", "count", "symbolic", "line"
        return [{key: row.get(key) for key in keys} for row in [*self.data["operations"], *memory]]


class Traffic(Prediction):
    """Volumes between the levels of the memory hierarchy, by the model traffic."""

    kind = "Traffic"

    def rows(self) -> List[Dict[str, Any]]:
        rows = []
        for key, value in self.data.items():
            if isinstance(value, float):
                rows.append({"name": key, "value": value, **self.data.get(key + "_parts", {})})
        return rows


class Features(Answer):
    """Features of a launch: `features["f_thread_groups"]`."""

    kind = "Features"

    def values_by_name(self) -> Dict[str, float]:
        return {row["name"]: row["value"] for row in self.data["features"]}

    def __getitem__(self, key: str) -> Any:
        if key in self.data:
            return self.data[key]
        return self.values_by_name()[key]

    def rows(self) -> List[Dict[str, Any]]:
        return list(self.data["features"])


class Ranking(Answer):
    """Configurations, the fastest first, those that failed last."""

    kind = "Ranking"

    @property
    def configurations(self) -> List[Dict[str, Any]]:
        return list(self.data["configurations"])

    @property
    def best(self) -> Dict[str, Any]:
        return dict(self.data["configurations"][0])

    def rows(self) -> List[Dict[str, Any]]:
        return [{key: value for key, value in row.items() if not isinstance(value, (dict, list)) or key in ("block", "grid")}
                for row in self.data["configurations"]]

    def title(self) -> str:
        kernel = self.data["kernel"]
        return f"Ranking of {kernel['name'] if isinstance(kernel, dict) else kernel}"
