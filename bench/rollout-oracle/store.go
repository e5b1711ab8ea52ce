package rollout

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strconv"
	"sync"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
)

var kinds = map[string]string{
	"pods": "Pod", "nodes": "Node", "services": "Service", "replicationcontrollers": "ReplicationController",
	"persistentvolumeclaims": "PersistentVolumeClaim", "deployments": "Deployment", "replicasets": "ReplicaSet",
	"statefulsets": "StatefulSet", "daemonsets": "DaemonSet", "controllerrevisions": "ControllerRevision",
	"endpointslices": "EndpointSlice", "poddisruptionbudgets": "PodDisruptionBudget",
}

// store does what the API server does to objects, behind the fake clientset: resource versions and
// conflicts, generations, the status subresource, defaults, graceful deletion of pods, watches. Times pass
// through JSON, so they are whole seconds. Watches, the scheduler and the kubelets take some milliseconds, in each run others.
type store struct {
	mu      sync.Mutex
	changed *sync.Cond
	closed  bool
	version int
	objects map[string]map[string]runtime.Object
	log     map[string][]watch.Event
	random  *rand.Rand
	timing  timing
	host    *host
}

// timing has the longest delays, in milliseconds: of a watch, until a pod is bound, and of a pod's change behind its second.
type timing struct{ watch, bind, change int }

// timings of the runs, in turn: all at once; a quick cluster; kubelets far apart; slow watches.
var timings = []timing{{0, 0, 0}, {8, 5, 0}, {2, 20, 30}, {20, 2, 5}}

func newStore(seed int64) *store {
	s := &store{objects: map[string]map[string]runtime.Object{}, log: map[string][]watch.Event{},
		random: rand.New(rand.NewSource(seed)), timing: timings[int(seed)%len(timings)]}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *store) client() *fake.Clientset {
	c := fake.NewSimpleClientset()
	c.PrependReactor("*", "*", s.react)
	c.PrependWatchReactor("*", s.watch)
	return c
}

// latency is a delay of 0 to n milliseconds.
func (s *store) latency(n int) {
	s.mu.Lock()
	d := time.Duration(s.random.Intn(n*1000+1)) * time.Microsecond
	s.mu.Unlock()
	time.Sleep(d)
}

func access(o runtime.Object) metav1.Object {
	a, err := meta.Accessor(o)
	if err != nil {
		panic(err)
	}
	return a
}

func (s *store) react(action clienttesting.Action) (bool, runtime.Object, error) {
	resource := action.GetResource().Resource
	if resource == "resource" || resource == "group" {
		return true, nil, nil // discovery
	}
	kind, known := kinds[resource]
	if !known {
		if a, ok := action.(clienttesting.CreateAction); ok {
			return true, a.GetObject(), nil // an event
		}
		return true, nil, apierrors.NewNotFound(action.GetResource().GroupResource(), "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	gr := action.GetResource().GroupResource()
	switch a := action.(type) {
	case clienttesting.ListActionImpl:
		list, err := scheme.Scheme.New(action.GetResource().GroupVersion().WithKind(kind + "List"))
		if err != nil {
			return true, nil, err
		}
		items := []runtime.Object{}
		for _, o := range s.objects[resource] {
			if pod, ok := o.(*v1.Pod); ok && !a.GetListRestrictions().Fields.Matches(fields.Set{"spec.nodeName": pod.Spec.NodeName}) {
				continue
			}
			items = append(items, o.DeepCopyObject())
		}
		l, _ := meta.ListAccessor(list)
		l.SetResourceVersion(strconv.Itoa(s.version))
		return true, list, meta.SetList(list, items)
	case clienttesting.CreateActionImpl:
		o, err := s.create(gr, a.GetObject())
		return true, o, err
	case clienttesting.UpdateActionImpl:
		o, err := s.update(gr, a.GetObject(), a.GetSubresource() == "status", true)
		return true, o, err
	}
	type named interface{ GetName() string }
	name := action.(named).GetName()
	old, ok := s.objects[resource][name]
	if !ok {
		return true, nil, apierrors.NewNotFound(gr, name)
	}
	switch a := action.(type) {
	case clienttesting.GetActionImpl:
		return true, old.DeepCopyObject(), nil
	case clienttesting.PatchActionImpl:
		o, err := patched(old, a)
		if err != nil {
			return true, nil, err
		}
		o, err = s.update(gr, o, a.GetSubresource() == "status", false)
		return true, o, err
	case clienttesting.DeleteActionImpl:
		if p := a.GetDeleteOptions().Preconditions; p != nil && p.UID != nil && *p.UID != access(old).GetUID() {
			return true, nil, apierrors.NewConflict(gr, name, fmt.Errorf("precondition"))
		}
		return true, nil, s.delete(gr, old)
	}
	return true, nil, fmt.Errorf("oracle: no %s of %s", action.GetVerb(), resource)
}

func patched(old runtime.Object, a clienttesting.PatchActionImpl) (runtime.Object, error) {
	before, err := json.Marshal(old)
	if err != nil {
		return nil, err
	}
	var after []byte
	switch a.GetPatchType() {
	case types.JSONPatchType:
		p, err := jsonpatch.DecodePatch(a.GetPatch())
		if err != nil {
			return nil, err
		}
		if after, err = p.Apply(before); err != nil {
			return nil, err
		}
	case types.MergePatchType:
		after, err = jsonpatch.MergePatch(before, a.GetPatch())
	default:
		after, err = strategicpatch.StrategicMergePatch(before, a.GetPatch(), old)
	}
	if err != nil {
		return nil, err
	}
	o := reflect.New(reflect.TypeOf(old).Elem()).Interface().(runtime.Object)
	return o, json.Unmarshal(after, o)
}

func (s *store) put(resource string, kind watch.EventType, o runtime.Object) runtime.Object {
	s.version++
	m := access(o)
	m.SetResourceVersion(strconv.Itoa(s.version))
	if s.objects[resource] == nil {
		s.objects[resource] = map[string]runtime.Object{}
	}
	if kind == watch.Deleted {
		delete(s.objects[resource], m.GetName())
	} else {
		s.objects[resource][m.GetName()] = o
	}
	s.log[resource] = append(s.log[resource], watch.Event{Type: kind, Object: o})
	s.changed.Broadcast()
	return o.DeepCopyObject()
}

func (s *store) create(gr schema.GroupResource, given runtime.Object) (runtime.Object, error) {
	o := given.DeepCopyObject()
	m := access(o)
	if m.GetName() == "" {
		m.SetName(m.GetGenerateName() + utilrand.String(5))
	}
	if _, exists := s.objects[gr.Resource][m.GetName()]; exists {
		return nil, apierrors.NewAlreadyExists(gr, m.GetName())
	}
	m.SetNamespace("default")
	if gr.Resource == "nodes" {
		m.SetNamespace("")
	}
	m.SetUID(uuid.NewUUID())
	m.SetGeneration(1)
	m.SetCreationTimestamp(metav1.Now().Rfc3339Copy())
	legacyscheme.Scheme.Default(o)
	if pod, ok := o.(*v1.Pod); ok {
		pod.Status = v1.PodStatus{Phase: v1.PodPending}
		defer s.host.start(pod)
	}
	return s.put(gr.Resource, watch.Added, o), nil
}

// update keeps the status of the stored object, or with status all but the status.
func (s *store) update(gr schema.GroupResource, given runtime.Object, status, checked bool) (runtime.Object, error) {
	m := access(given)
	old, ok := s.objects[gr.Resource][m.GetName()]
	if !ok {
		return nil, apierrors.NewNotFound(gr, m.GetName())
	}
	before := asMap(old)
	if checked && m.GetResourceVersion() != "" && m.GetResourceVersion() != access(old).GetResourceVersion() {
		return nil, apierrors.NewConflict(gr, m.GetName(), fmt.Errorf("the object has been modified"))
	}
	after := asMap(given)
	if status {
		merged := asMap(old)
		merged["status"] = after["status"]
		after = merged
	} else {
		after["status"] = before["status"]
	}
	o := reflect.New(reflect.TypeOf(old).Elem()).Interface().(runtime.Object)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(after, o); err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(o)
	access(o).SetResourceVersion(access(old).GetResourceVersion())
	access(o).SetUID(access(old).GetUID())
	access(o).SetCreationTimestamp(access(old).GetCreationTimestamp())
	access(o).SetGeneration(access(old).GetGeneration())
	if !reflect.DeepEqual(asMap(o)["spec"], before["spec"]) || !reflect.DeepEqual(asMap(o)["endpoints"], before["endpoints"]) {
		access(o).SetGeneration(access(old).GetGeneration() + 1)
	}
	if reflect.DeepEqual(asMap(o), before) {
		return old.DeepCopyObject(), nil
	}
	return s.put(gr.Resource, watch.Modified, o), nil
}

func asMap(o runtime.Object) map[string]any {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err)
	}
	return m
}

func (s *store) delete(gr schema.GroupResource, old runtime.Object) error {
	o := old.DeepCopyObject()
	if gr.Resource == "replicasets" {
		go s.collect(access(o).GetUID())
	}
	pod, ok := o.(*v1.Pod)
	if !ok || pod.Spec.NodeName == "" || pod.Status.Phase == v1.PodFailed || pod.Status.Phase == v1.PodSucceeded {
		s.put(gr.Resource, watch.Deleted, o)
		return nil
	}
	if pod.DeletionTimestamp == nil {
		grace := *pod.Spec.TerminationGracePeriodSeconds
		at := metav1.NewTime(time.Now().Add(time.Duration(grace) * time.Second)).Rfc3339Copy()
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &grace
		s.put(gr.Resource, watch.Modified, pod)
		s.host.terminate(pod)
	}
	return nil
}

// collect deletes the pods of a deleted owner, as the garbage collector does.
func (s *store) collect(owner types.UID) {
	s.latency(s.timing.watch)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.objects["pods"] {
		if refs := access(o).GetOwnerReferences(); len(refs) > 0 && refs[0].UID == owner {
			_ = s.delete(schema.GroupResource{Resource: "pods"}, o)
		}
	}
}

// remove takes the pod away, as the kubelet's last delete does.
func (s *store) remove(pod *v1.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.objects["pods"][pod.Name]; ok && access(o).GetUID() == pod.UID {
		s.put("pods", watch.Deleted, o.DeepCopyObject())
	}
}

// setPod changes the stored pod, if it is still there.
func (s *store) setPod(pod *v1.Pod, change func(*v1.Pod)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.objects["pods"][pod.Name]
	if !ok || access(o).GetUID() != pod.UID {
		return false
	}
	next := o.DeepCopyObject().(*v1.Pod)
	change(next)
	s.put("pods", watch.Modified, next)
	return true
}

func (s *store) watch(action clienttesting.Action) (bool, watch.Interface, error) {
	resource := action.GetResource().Resource
	from, _ := strconv.Atoi(action.(clienttesting.WatchActionImpl).ListOptions.ResourceVersion)
	w := &watcher{result: make(chan watch.Event), done: make(chan struct{})}
	go func() {
		defer close(w.result)
		for next := 0; ; next++ {
			s.mu.Lock()
			for next >= len(s.log[resource]) && !s.closed {
				s.changed.Wait()
			}
			if s.closed {
				s.mu.Unlock()
				return
			}
			event, isLast := s.log[resource][next], len(s.log[resource]) == next+1
			s.mu.Unlock()
			if v, _ := strconv.Atoi(access(event.Object).GetResourceVersion()); v <= from {
				continue
			}
			if isLast {
				s.latency(s.timing.watch)
			}
			select {
			case w.result <- watch.Event{Type: event.Type, Object: event.Object.DeepCopyObject()}:
			case <-w.done:
				return
			}
		}
	}()
	return true, w, nil
}

func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Broadcast()
}

type watcher struct {
	result chan watch.Event
	done   chan struct{}
	once   sync.Once
}

func (w *watcher) ResultChan() <-chan watch.Event { return w.result }
func (w *watcher) Stop()                          { w.once.Do(func() { close(w.done) }) }
