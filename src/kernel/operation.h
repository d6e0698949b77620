/* Portable instruction groups: what features and the forest count by. */
#ifndef FW_OPERATION_H
#define FW_OPERATION_H

/* X(name, text) in the order of the JSON's "instructions" object. */
#define FW_GROUPS(X)                                                                               \
    X(ARITHMETIC, "arithmetic")                                                                    \
    X(SPECIAL, "special")                                                                          \
    X(LOGIC, "logic")                                                                              \
    X(CONTROL, "control")                                                                          \
    X(SYNC, "sync")                                                                                \
    X(MEMORY, "memory")                                                                            \
    X(OTHER, "other")

enum fw_group {
#define X(name, text) FW_GROUP_##name,
    FW_GROUPS(X)
#undef X
        FW_GROUP_COUNT
};

#endif
