/** The version of Kubernetes whose kubelet kprobe ports. All code takes it from here. */
export const KUBELET_VERSION = '1.36';
