; Memory that the threads of a block share. Its size is given when a kernel is started.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@memory = external addrspace(3) global [0 x i8], align 16
define ptr @sinew_shared() alwaysinline {
  %p = addrspacecast ptr addrspace(3) @memory to ptr
  ret ptr %p
}
