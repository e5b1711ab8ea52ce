package rollout

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	scalefake "k8s.io/client-go/scale/fake"
	"k8s.io/client-go/util/flowcontrol"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/endpointslice"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// Scenario is a workload, the lives of its pods, and what is done to it.
type Scenario struct {
	Name    string              `json:"name"`
	Object  map[string]any      `json:"object"`
	Service map[string]any      `json:"service,omitempty"`
	PDB     map[string]any      `json:"pdb,omitempty"`
	Nodes   int                 `json:"nodes"`
	Pods    map[string][]Script `json:"pods"` // by image; the n-th created pod of an image takes the n-th in turn
	Actions []Action            `json:"actions"`
	Until   float64             `json:"until"`
	Facts   []Fact              `json:"facts,omitempty"`
}

// Action is done once, at a time in seconds.
type Action struct {
	At       float64        `json:"at"`
	Patch    map[string]any `json:"patch,omitempty"`    // of the workload, a strategic merge
	Rollback *int64         `json:"rollback,omitempty"` // 0: to the revision before
	Delete   string         `json:"delete,omitempty"`   // a pod of a StatefulSet, or the pods of a node
	Drain    string         `json:"drain,omitempty"`    // a node
}

// Fact is what changed by the end of this half second; nil: the runs disagree.
type Fact struct {
	At     float64        `json:"at"`
	Fields map[string]any `json:"fields"`
}

// play returns the fields at the end of each half second. Call it in a bubble of synctest.
func play(s *Scenario, seed int64) []map[string]any {
	ctx, cancel := context.WithCancel(context.Background())
	st := newStore(seed)
	client := st.client()
	done := startControllers(ctx, client)
	time.Sleep(10 * time.Second)
	start := time.Now()
	st.host = &host{store: st, start0: start, scripts: s.Pods, created: map[string]int{}, gone: map[string]float64{}}
	for i := range s.Nodes {
		create(st, "", "nodes", node(i))
	}
	if s.Service != nil {
		service := decode[v1.Service](s.Service)
		service.Spec.ClusterIP, service.Spec.IPFamilies = "10.96.0.1", []v1.IPFamily{v1.IPv4Protocol}
		create(st, "", "services", service)
	}
	if s.PDB != nil {
		create(st, "policy", "poddisruptionbudgets", decode[policyv1.PodDisruptionBudget](s.PDB))
	}
	kind := s.Object["kind"].(string)
	switch kind {
	case "Deployment":
		create(st, "apps", "deployments", decode[appsv1.Deployment](s.Object))
	case "StatefulSet":
		create(st, "apps", "statefulsets", decode[appsv1.StatefulSet](s.Object))
	case "DaemonSet":
		create(st, "apps", "daemonsets", decode[appsv1.DaemonSet](s.Object))
	}
	go func() {
		for _, a := range s.Actions {
			time.Sleep(time.Until(start.Add(seconds(a.At))))
			act(ctx, st, client, kind, a)
		}
	}()
	var all []map[string]any
	for t := 0.0; t <= s.Until; t += 0.5 {
		time.Sleep(time.Until(start.Add(seconds(t + 0.45))))
		synctest.Wait()
		all = append(all, state(st, kind, start))
	}
	cancel()
	st.close()
	done()
	time.Sleep(time.Hour) // the goroutines that sleep end
	return all
}

func create(st *store, group, resource string, o runtime.Object) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if _, err := st.create(schema.GroupResource{Group: group, Resource: resource}, o); err != nil {
		panic(err)
	}
}

func decode[T any](m map[string]any) *T {
	b, _ := json.Marshal(m)
	var o T
	if err := json.Unmarshal(b, &o); err != nil {
		panic(err)
	}
	return &o
}

func startControllers(ctx context.Context, client *fake.Clientset) func() {
	f := informers.NewSharedInformerFactory(client, 0)
	apps, core := f.Apps().V1(), f.Core().V1()
	dc, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)
	if err != nil {
		panic(err)
	}
	rs := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client, replicaset.BurstReplicas)
	ss := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), client)
	ds, err := daemon.NewDaemonSetsController(ctx, apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client,
		flowcontrol.NewBackOff(time.Second, 15*time.Minute))
	if err != nil {
		panic(err)
	}
	es := endpointslice.NewController(ctx, core.Pods(), core.Services(), core.Nodes(), f.Discovery().V1().EndpointSlices(), 100, client, 0)
	dis := disruption.NewDisruptionController(ctx, core.Pods(), f.Policy().V1().PodDisruptionBudgets(), core.ReplicationControllers(),
		apps.ReplicaSets(), apps.Deployments(), apps.StatefulSets(), client, testrestmapper.TestOnlyStaticRESTMapper(scheme.Scheme),
		&scalefake.FakeScaleClient{}, client.Discovery())
	f.Start(ctx.Done())
	go dc.Run(ctx, 5)
	go rs.Run(ctx, 5)
	go ss.Run(ctx, 5)
	go ds.Run(ctx, 2)
	go es.Run(ctx, 5)
	go dis.Run(ctx)
	return f.Shutdown
}

func act(ctx context.Context, st *store, client *fake.Clientset, kind string, a Action) {
	switch {
	case a.Rollback != nil:
		rollBack(ctx, client, kind, *a.Rollback)
		return
	case a.Delete != "":
		st.mu.Lock()
		defer st.mu.Unlock()
		for _, o := range st.objects["pods"] {
			if p := o.(*v1.Pod); p.Name == a.Delete || p.Spec.NodeName == a.Delete {
				_ = st.delete(pods, p)
			}
		}
		return
	case a.Drain != "":
		go drainNode(ctx, st, a.Drain)
		return
	}
	apps := client.AppsV1()
	patch, _ := json.Marshal(a.Patch)
	var err error
	switch kind {
	case "Deployment":
		_, err = apps.Deployments("default").Patch(ctx, "app", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	case "StatefulSet":
		_, err = apps.StatefulSets("default").Patch(ctx, "app", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	case "DaemonSet":
		_, err = apps.DaemonSets("default").Patch(ctx, "app", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	}
	if err != nil {
		panic(err)
	}
}

// rollBack is `kubectl rollout undo`.
func rollBack(ctx context.Context, client *fake.Clientset, kind string, revision int64) {
	rollbacker, err := polymorphichelpers.RollbackerFor(schema.GroupKind{Group: "apps", Kind: kind}, client)
	if err != nil {
		panic(err)
	}
	apps := client.AppsV1()
	var o runtime.Object
	switch kind {
	case "Deployment":
		o, err = apps.Deployments("default").Get(ctx, "app", metav1.GetOptions{})
	case "StatefulSet":
		o, err = apps.StatefulSets("default").Get(ctx, "app", metav1.GetOptions{})
	case "DaemonSet":
		o, err = apps.DaemonSets("default").Get(ctx, "app", metav1.GetOptions{})
	}
	if err == nil {
		_, err = rollbacker.Rollback(o, nil, revision, cmdutil.DryRunNone)
	}
	for _, refusal := range []string{"no rollout history", "no last revision", "paused", "unable to find"} {
		if err != nil && strings.Contains(err.Error(), refusal) {
			return
		}
	}
	if err != nil {
		panic(err)
	}
}

// state flattens what can be seen of the workload.
func state(st *store, kind string, start time.Time) map[string]any {
	st.mu.Lock()
	defer st.mu.Unlock()
	f := map[string]any{}
	switch kind {
	case "Deployment":
		d := st.objects["deployments"]["app"].(*appsv1.Deployment)
		f["observed"] = d.Status.ObservedGeneration == d.Generation
		f["replicas"], f["updated"], f["ready"], f["available"] = d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas
		if d.Status.TerminatingReplicas != nil {
			f["terminating"] = *d.Status.TerminatingReplicas
		}
		for _, c := range d.Status.Conditions {
			f[string(c.Type)] = string(c.Status) + " " + c.Reason
			if c.Type == appsv1.DeploymentProgressing {
				f["progressed"] = c.LastUpdateTime.Sub(start).Seconds()
			}
		}
		for _, o := range st.objects["replicasets"] {
			r := o.(*appsv1.ReplicaSet)
			key := "rs" + r.Annotations["deployment.kubernetes.io/revision"]
			f[key] = fmt.Sprintf("%d/%d/%d/%d", *r.Spec.Replicas, r.Status.Replicas, r.Status.ReadyReplicas, r.Status.AvailableReplicas)
		}
	case "StatefulSet":
		s := st.objects["statefulsets"]["app"].(*appsv1.StatefulSet)
		f["observed"] = s.Status.ObservedGeneration == s.Generation
		f["replicas"], f["updated"], f["ready"], f["available"] = s.Status.Replicas, s.Status.UpdatedReplicas, s.Status.ReadyReplicas, s.Status.AvailableReplicas
		f["current"], f["settled"] = s.Status.CurrentReplicas, s.Status.CurrentRevision == s.Status.UpdateRevision
	case "DaemonSet":
		d := st.objects["daemonsets"]["app"].(*appsv1.DaemonSet)
		f["observed"] = d.Status.ObservedGeneration == d.Generation
		f["desired"], f["current"], f["ready"], f["updated"] = d.Status.DesiredNumberScheduled, d.Status.CurrentNumberScheduled, d.Status.NumberReady, d.Status.UpdatedNumberScheduled
		f["available"], f["unavailable"] = d.Status.NumberAvailable, d.Status.NumberUnavailable
	}
	counts := map[string]int{}
	for _, o := range st.objects["pods"] {
		p := o.(*v1.Pod)
		word := "starting"
		for _, c := range p.Status.Conditions {
			if c.Type == v1.PodReady && c.Status == v1.ConditionTrue {
				word = "ready"
			}
		}
		if p.Status.Phase == v1.PodFailed {
			word = "failed"
		}
		if p.DeletionTimestamp != nil {
			word += " terminating"
		}
		key := p.Spec.Containers[0].Image
		if kind == "StatefulSet" {
			f["pod "+p.Name] = key + " " + word
		} else {
			counts["pods "+key+" "+word]++
		}
	}
	for k, n := range counts {
		f[k] = n
	}
	if len(st.objects["services"]) > 0 {
		ready, serving, terminating := 0, 0, 0
		for _, o := range st.objects["endpointslices"] {
			for _, e := range o.(*discoveryv1.EndpointSlice).Endpoints {
				ready += count(e.Conditions.Ready)
				serving += count(e.Conditions.Serving)
				terminating += count(e.Conditions.Terminating)
			}
		}
		f["endpoints"] = fmt.Sprintf("%d/%d/%d", ready, serving, terminating)
	}
	for _, o := range st.objects["poddisruptionbudgets"] {
		s := o.(*policyv1.PodDisruptionBudget).Status
		f["pdb"] = fmt.Sprintf("%d/%d/%d/%d", s.DisruptionsAllowed, s.CurrentHealthy, s.DesiredHealthy, s.ExpectedPods)
	}
	return f
}

func count(b *bool) int {
	if b != nil && *b {
		return 1
	}
	return 0
}

const absent = "absent"

// agreed keeps what all runs say, as changes; a field on which they disagree is null until they agree again.
func agreed(runs [][]map[string]any) (facts []Fact, known, total int) {
	last := map[string]any{}
	for i := range runs[0] {
		names := map[string]bool{}
		for _, r := range runs {
			for name := range r[i] {
				names[name] = true
			}
		}
		for name := range last {
			names[name] = true
		}
		changes := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			value := text(runs[0][i], name)
			for _, r := range runs[1:] {
				if text(r[i], name) != value {
					value = nil
					break
				}
			}
			total++
			if value != nil {
				known++
			}
			if before, seen := last[name]; !seen && value == absent || seen && before == value {
				continue
			}
			last[name], changes[name] = value, value
		}
		if len(changes) > 0 {
			facts = append(facts, Fact{At: float64(i) / 2, Fields: changes})
		}
	}
	return facts, known, total
}

// text is the value as JSON gives it back, so that values compare.
func text(m map[string]any, name string) any {
	v, ok := m[name]
	if !ok {
		return absent
	}
	b, _ := json.Marshal(v)
	var out any
	_ = json.Unmarshal(b, &out)
	return out
}
