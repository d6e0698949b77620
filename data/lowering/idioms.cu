// Small kernels that each show one thing that ptxas does with integers: uniform values (u, v, w), low words,
// halves and places of shared memory (x), sums and limits (z).  Read by nobody but the study; see README.md.
extern "C" {
__global__ void u1(int*p,int n,int m){ int i=threadIdx.x; p[i]=i+(n^m); }
__global__ void u2(int*p,int n,int m){ int i=threadIdx.x; if(n*m>5) p[i]=i; }
__global__ void u3(int*p,int n,int m){ int i=threadIdx.x; if(i<n*m) p[i]=i; }
__global__ void u4(int*p,int n,int m){ int i=threadIdx.x; int k=(n>>3)&m; if(k>4) p[i+k]=i; }
__global__ void u5(int*p,int n,int m){ int i=threadIdx.x; p[i]=n*m+7; }
__global__ void u6(int*p,int n,int m){ int i=threadIdx.x; int b=blockIdx.x*4+n; p[i]=i^b; }
__global__ void u7(int*p,int n,int m){ int i=threadIdx.x; int b=blockIdx.x*n+m; p[b+i]=i; p[b*3]=5;}
__global__ void u8(int*p,int n,int m){ int i=threadIdx.x; p[i*n+m-1]=i; }
__global__ void u9(int*p,int n,int m){ int i=threadIdx.x; p[n-1]=i; }
__global__ void u12(int*p,int*q,int n,int m){ int i=threadIdx.x; if(i<5){ int k=n*m+3; p[i+k]=k; q[i]=k^i;} }
__global__ void u13(int*p,int n,int m){ int i=threadIdx.x; p[i]=min(n,m)+i; }
__global__ void u14(int*p,int n,int m){ int i=threadIdx.x; p[i]=(n>m?n:7)+i; }
__global__ void u15(int*p,int n,int m){ int i=threadIdx.x; p[i]=i/(n+m); }
__global__ void u16(int*p,long n,long m){ long i=threadIdx.x; p[i]=i+n*m; }
__global__ void u17(int*p,int n,int m){ int i=threadIdx.x; p[i+(long)n*m]=i; }
__global__ void u18(float*p,int n,int m){ int i=threadIdx.x; p[i]=i*(float)(n+m); }
__global__ void u19(int*p,int n,int m){ int i=threadIdx.x; int*q=p+n*m; q[i]=i; q[i+n]=4; }
__global__ void u20(int*p,int n,int m){ int i=threadIdx.x; int r=p[i];
#pragma unroll 1

 for(int k=n;k>0;k>>=1) r=r*(k+3)^i; p[i]=r; }
__global__ void v1(int*p,int n,int m){ int i=threadIdx.x; if(i<5) { p[i]=i^(n*m+3);} }
__global__ void v2(int*p,int n,int m){ int i=threadIdx.x; int k=n*m; if(k>0) p[i+k]=i; }
__global__ void v3(int*p,int n,int m){ int i=threadIdx.x; int r=p[i];
#pragma unroll 1
 for(int k=0;k<n;k++) r=(r^(k*m)); p[i]=r; }
__global__ void v4(int*p,int n,int m){ int i=threadIdx.x; int r=p[i];
#pragma unroll 1
 for(int k=0;k<i;k++) r=(r^(k*m)); p[i]=r; }
__global__ void v5(int*p,int n,int m){ int i=threadIdx.x; p[i]=i*(n+1)+(m^3); }
__global__ void v6(int*p,int n,int m){ int i=threadIdx.x; p[i]=i<<(n+m); }
__global__ void v7(int*p,int n,int m){ int i=threadIdx.x; p[i]=(i+(blockIdx.x*blockDim.x+n))^5; }
__global__ void v8(int*p,int n,int m){ int i=threadIdx.x; int r=p[i];
#pragma unroll 1
 for(int k=0;k<n;k++) { r=(r^(k*m)); if(r>7) r=r+k*n; } p[i]=r; }
__global__ void v9(int*p,int*q,int n,int m){ int i=threadIdx.x; int r=p[i];
#pragma unroll 1
 for(int k=0;k<n;k++) { r=r^q[k*m+i]; } p[i]=r; }
__global__ void v10(int*p,int*q,int n,int m){ int i=threadIdx.x; int r=p[i];
#pragma unroll 1
 for(int k=0;k<n;k++) { r=r^q[k*m]; } p[i]=r; }
__global__ void v11(int*p,int n,int m){ int i=threadIdx.x; p[i]=(i<n-1 && i>m+2)?i:n+m; }
__global__ void v12(int*p,int n,int m){ int i=threadIdx.x; int k=n+m; p[i]=(i+k)*(i^k)-k; }
__global__ void v13(int*p,int n,int m){ int i=threadIdx.x; int k=(n+m); if(i==0) {p[k]=k;} else p[i+k]=3; }
__global__ void v14(int*p,int n,int m){ int i=threadIdx.x; int k=(n+m)/4; p[i]=(i&k); }
__global__ void v15(int*p,int n,int m){ int i=threadIdx.x; int k=(n+m); p[i]=(i+k+1); }
__global__ void v16(int*p,int n,int m){ int i=threadIdx.x; int k=(n+m); p[i]=__popc(k)+i+__clz(n); }
__global__ void v17(int*p,int n,int m){ int i=threadIdx.x; __shared__ int s[256]; s[i]=m; __syncthreads();  
#pragma unroll 1
 for(int k=n/2;k>0;k>>=1) { if(i<k) s[i]+=s[i+k]; __syncthreads();} p[i]=s[0]; }
__global__ void v18(int*p,int n,int m){ int i=threadIdx.x; __shared__ int s[256]; s[i]=m; __syncthreads();  
#pragma unroll 1
 for(int k=1;k<n;k<<=1) { int a= i>=k? s[i-k]:0; __syncthreads(); s[i]+=a; __syncthreads();} p[i]=s[0]; }
__global__ void v19(int*p,int n,int m){ int x=blockIdx.x*32+threadIdx.x, y=blockIdx.y*32+threadIdx.y; p[y*n+x]=p[(blockIdx.x*32+threadIdx.y)*m+blockIdx.y*32+threadIdx.x]; }
__global__ void v20(int*p,int n,int m){ int i=threadIdx.x; int k=n+m; if (i<k) p[i]=3; else if (i<2*k) p[i]=4+k;  }
__global__ void w1(int*p,int n,int m){ int i=threadIdx.x; if(i<n-1 && blockIdx.x<m-1) p[i+(long)n]=i; }
__global__ void w2(int*p,int n,int m){ int i=threadIdx.x; if(i<n-1 && i*3<m-1) p[i]=p[i+(long)m]; }
__global__ void w3(int*p,int n,int m){ int i=threadIdx.x; if(i<n-1 && i*3<m-1) p[i]=i; }
__global__ void w4(int*p,int n,int m, int k){ int i=threadIdx.x; if(i<n-1 && i*3<k-1) p[i]=p[i+(long)m]; }
__global__ void w5(int*p,int n,int m, int k){ int i=threadIdx.x; if(i<n-1 && i*3<k-1) p[i]=n; }
__global__ void w6(int*p,int n,int m, int k){ int i=threadIdx.x; if(i<n-1 && i*3<m-1) p[i]=n; }
__global__ void w7(int*p,int n,int m, int k){ int i=threadIdx.x; if(i<n-1 && i*3<m-1) p[i]=i*k+(n&7); }
__global__ void w8(int*p,int n,int m, int k){ int i=threadIdx.x; if(i<blockIdx.x*4-1 && i*3<m-1) p[i]=i*k; }
__global__ void w9(int*p,int n,int m, int k){ int i=threadIdx.x; if(i<blockIdx.x*4-1 && i*3<m-1) p[i+blockIdx.x*2]=i*k; }
__global__ void w10(int*p,int n,int m, int k){ int i=threadIdx.x; if(n>5) p[i+n]=i*k; }
__global__ void w11(int*p,int n,int m, int k){ int i=threadIdx.x; if(n>5) p[i+(n^4)]=i*k; }
__global__ void x1(unsigned*p,unsigned*q){ int i=threadIdx.x; unsigned a=p[i],b=q[i]; p[i]=(a>>5)+b; }
__global__ void x2(int*p,int*q){ int i=threadIdx.x; int a=p[i],b=q[i]; p[i]=(a>>5)+b; }
__global__ void x3(unsigned*p,unsigned*q){ int i=threadIdx.x; unsigned a=p[i],b=q[i]; p[i]=(a>>5)+b; q[i]=(a>>5)+3; }
__global__ void x4(unsigned*p,unsigned*q){ int i=threadIdx.x; unsigned a=p[i],b=q[i]; p[i]=b-(a>>5); }
__global__ void x5(float*p,unsigned*q){ int i=threadIdx.x; unsigned a=q[i]; p[i]=(float)(a>>16); }
__global__ void x6(float*p,unsigned*q){ int i=threadIdx.x; unsigned a=q[i]; p[i]=(float)(a&0xffff)*(float)(a>>16); }
__global__ void x7(float*p,unsigned*q){ int i=threadIdx.x; unsigned a=q[i]; p[i]=(float)(a&0xff)*(float)(a>>24)*(float)((a>>8)&255); }
__global__ void x8(int*p,unsigned short*q){ int i=threadIdx.x; __shared__ int s[1024]; s[i]=3; __syncthreads(); p[i]=s[q[i]]; }
__global__ void x9(int*p,unsigned*q){ int i=threadIdx.x; __shared__ int s[1024]; s[i]=3; __syncthreads(); p[i]=s[(q[i]*7)&511]; }
__global__ void x10(int*p,unsigned*q){ int i=threadIdx.x; __shared__ char s[1024]; s[i]=3; __syncthreads(); p[i]=s[q[i]]; }
__global__ void x12(int*p,long*q){ int i=threadIdx.x; long a=q[i],b=q[i+999]; p[i]=(int)((a+b)<<3); }
__global__ void x13(int*p,long*q){ int i=threadIdx.x; long a=q[i],b=q[i+999]; p[i]=(int)((a*b)&b); }
__global__ void x14(long*p,long*q){ int i=threadIdx.x; long a=q[i],b=q[i+999]; p[i]=((a+b)&0xff); }
__global__ void x15(long*p,long*q,int n){ int i=threadIdx.x; 
#pragma unroll 1
 for(int k=0;k<n;k++) { p[i]=q[i]; __syncthreads(); } }
__global__ void z1(int*p,int*q){ int i=threadIdx.x; int a=p[i],b=q[i]; p[i]=min(a+1,b); }
__global__ void z2(int*p,int*q,int n){ int i=threadIdx.x; int a=p[i],b=q[i]; p[i]=max(a+b,n); q[i]=min(a-b,n);}
__global__ void z3(int*p,int*q){ int i=threadIdx.x; int a=p[i],b=q[i]; p[i]=max(a+b,5); q[i]=a+b;}
__global__ void z4(unsigned*p,unsigned*q){ int i=threadIdx.x; unsigned a=p[i],b=q[i]; p[i]=min(a+b,q[i+5]+3); }
__global__ void z5(int*p,int*q){ int i=threadIdx.x; int a=p[i],b=q[i]; p[i]=max(max(a+b,q[i+1]),q[i+2]+4); }
__global__ void z7(int*p,int*q){ int i=threadIdx.x; int a=p[i],b=q[i]; p[i]=max(a+b,q[i+1])+3; }
__global__ void z8(float*p,float*q,long n){ int i=threadIdx.x; float*r=p+i; float s=r[0]; r+=n; s+=r[-2]; r+=n; s+=r[-2]+r[2]; p[i]=s; }
}
