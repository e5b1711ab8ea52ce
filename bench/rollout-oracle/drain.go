package rollout

import (
	"context"
	"io"
	"time"
	_ "unsafe" // for the linkname

	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/kubernetes"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/kubectl/pkg/drain"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/policy"
	podstorage "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// newEvictionStorage is the API server's own, over our store (empty.s lets it have no body here).
//
//go:linkname newEvictionStorage k8s.io/kubernetes/pkg/registry/core/pod/storage.newEvictionStorage
func newEvictionStorage(rest.StandardStorage, policyclient.PodDisruptionBudgetsGetter) *podstorage.EvictionREST

var pods = schema.GroupResource{Resource: "pods"}

// podStore is what an eviction does to pods.
type podStore struct {
	rest.StandardStorage
	store *store
}

func (p *podStore) get(name string) (*v1.Pod, error) {
	if o, ok := p.store.objects["pods"][name]; ok {
		return o.(*v1.Pod), nil
	}
	return nil, apierrors.NewNotFound(pods, name)
}

func (p *podStore) Get(_ context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	pod, err := p.get(name)
	if err != nil {
		return nil, err
	}
	return internal[api.Pod](pod.DeepCopy()), nil
}

func (p *podStore) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, _ rest.ValidateObjectFunc,
	_ rest.ValidateObjectUpdateFunc, _ bool, _ *metav1.UpdateOptions) (runtime.Object, bool, error) {
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	pod, err := p.get(name)
	if err != nil {
		return nil, false, err
	}
	changed, err := info.UpdatedObject(ctx, internal[api.Pod](pod.DeepCopy()))
	if err != nil {
		return nil, false, err
	}
	next := &v1.Pod{}
	if err := legacyscheme.Scheme.Convert(changed, next, nil); err != nil {
		return nil, false, err
	}
	return internal[api.Pod](p.store.put("pods", "MODIFIED", next).(*v1.Pod)), false, nil
}

func (p *podStore) Delete(_ context.Context, name string, _ rest.ValidateObjectFunc, options *metav1.DeleteOptions) (runtime.Object, bool, error) {
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	pod, err := p.get(name)
	if err != nil {
		return nil, false, err
	}
	if c := options.Preconditions; c != nil && c.ResourceVersion != nil && *c.ResourceVersion != pod.ResourceVersion {
		return nil, false, apierrors.NewConflict(pods, name, io.ErrUnexpectedEOF)
	}
	return nil, false, p.store.delete(pods, pod)
}

func internal[T any](external any) *T {
	var o T
	if err := legacyscheme.Scheme.Convert(external, &o, nil); err != nil {
		panic(err)
	}
	return &o
}

// drainClient evicts without the lock of the fake clientset, as evictions sleep.
type drainClient struct {
	kubernetes.Interface
	evictions *podstorage.EvictionREST
}

func (c drainClient) PolicyV1() policyclient.PolicyV1Interface {
	return policyClient{c.Interface.PolicyV1(), c.evictions}
}

type policyClient struct {
	policyclient.PolicyV1Interface
	evictions *podstorage.EvictionREST
}

func (c policyClient) Evictions(string) policyclient.EvictionInterface { return evictor{c.evictions} }

type evictor struct{ evictions *podstorage.EvictionREST }

func (e evictor) Evict(ctx context.Context, eviction *policyv1.Eviction) error {
	o, err := e.evictions.Create(ctx, eviction.Name, internal[policy.Eviction](eviction), nil, &metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if status := o.(*metav1.Status); status.Status == metav1.StatusFailure {
		return apierrors.FromObject(status)
	}
	return nil
}

// drainNode is `kubectl drain --ignore-daemonsets --force`, without what it prints.
func drainNode(ctx context.Context, st *store, name string) {
	helper, node := drainHelper(ctx, st, name)
	if err := drain.RunCordonOrUncordon(helper, node, true); err != nil {
		panic(err)
	}
	if err := drain.RunNodeDrain(helper, name); err != nil && ctx.Err() == nil {
		panic(err)
	}
}

func drainHelper(ctx context.Context, st *store, name string) (*drain.Helper, *v1.Node) {
	client := st.client()
	client.Resources = []*metav1.APIResourceList{
		{GroupVersion: "policy/v1"},
		{GroupVersion: "v1", APIResources: []metav1.APIResource{{Name: "pods/eviction", Kind: "Eviction", Group: "policy", Version: "v1"}}},
	}
	node, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		panic(err)
	}
	evictions := newEvictionStorage(&podStore{store: st}, st.client().PolicyV1())
	return &drain.Helper{Ctx: ctx, Client: drainClient{client, evictions}, Force: true, GracePeriodSeconds: -1, IgnoreAllDaemonSets: true,
		DeleteEmptyDirData: true, EvictErrorRetryDelay: 5 * time.Second, Out: io.Discard, ErrOut: io.Discard}, node
}
