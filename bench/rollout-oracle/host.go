package rollout

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Script is the life of a pod: when it is ready and when not, in seconds since the second of its creation; when it fails;
// how long its deletion takes.
type Script struct {
	Ready [][2]float64 `json:"ready,omitempty"`
	Fails float64      `json:"fails,omitempty"`
	Gone  float64      `json:"gone"`
}

// host is the scheduler and the kubelets: it binds pods and plays their scripts, on whole seconds and some milliseconds more.
type host struct {
	store   *store
	start0  time.Time
	scripts map[string][]Script
	created map[string]int
	gone    map[string]float64
}

// next returns the script of a pod that is bound. The n-th pod of a Deployment takes the n-th; pods of the other kinds
// are created in any order, so each ordinal and each node counts on its own.
func (h *host) next(pod *v1.Pod) Script {
	image := pod.Spec.Containers[0].Image
	scripts := h.scripts[image]
	key, first := image, 0
	switch pod.OwnerReferences[0].Kind {
	case "StatefulSet":
		key += " " + pod.Name
		first = number(pod.Name)
	case "DaemonSet":
		key += " " + pod.Spec.NodeName
		first = number(pod.Spec.NodeName) - 1
	}
	h.created[key]++
	return scripts[(first+h.created[key]-1)%len(scripts)]
}

func number(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndex(name, "-")+1:])
	if err != nil {
		panic(err)
	}
	return n
}

// second is the second that has begun.
func (h *host) second(t time.Time) time.Time {
	return h.start0.Add(t.Sub(h.start0).Truncate(time.Second))
}

// start is called with the store locked.
func (h *host) start(pod *v1.Pod) {
	base := h.second(time.Now())
	go func() {
		h.store.latency(h.store.timing.bind)
		var script Script
		bound := false
		if !h.store.setPod(pod, func(p *v1.Pod) {
			if bound = h.bind(p); bound {
				script = h.next(p)
				h.gone[string(pod.UID)] = script.Gone
			}
		}) || !bound {
			return
		}
		for _, change := range script.Ready {
			if script.Fails > 0 && script.Fails <= change[0] {
				break
			}
			h.sleep(base.Add(seconds(change[0])))
			if !h.store.setPod(pod, func(p *v1.Pod) { setReady(p, change[1] != 0) }) {
				return
			}
		}
		if script.Fails > 0 {
			h.sleep(base.Add(seconds(script.Fails)))
			h.store.setPod(pod, func(p *v1.Pod) {
				setReady(p, false)
				p.Status.Phase = v1.PodFailed
			})
		}
	}()
}

// sleep ends a little after the time, when the controllers' own timers of that second have fired.
func (h *host) sleep(until time.Time) {
	time.Sleep(time.Until(until.Add(time.Microsecond)))
	h.store.latency(h.store.timing.change)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// bind chooses the pod's own node (a DaemonSet's) or the node with the fewest pods; false if all are cordoned: the pod waits for ever.
func (h *host) bind(p *v1.Pod) bool {
	counts := map[string]int{}
	for _, o := range h.store.objects["pods"] {
		if other := o.(*v1.Pod); other.DeletionTimestamp == nil && other.Status.Phase != v1.PodFailed {
			counts[other.Spec.NodeName]++
		}
	}
	for i := range len(h.store.objects["nodes"]) {
		name := nodeName(i)
		if !h.store.objects["nodes"][name].(*v1.Node).Spec.Unschedulable && (p.Spec.NodeName == "" || counts[name] < counts[p.Spec.NodeName]) {
			p.Spec.NodeName = name
		}
	}
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		p.Spec.NodeName = a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0]
	}
	if p.Spec.NodeName == "" {
		return false
	}
	p.Status.Phase = v1.PodRunning
	p.Status.PodIP = fmt.Sprintf("10.0.%d.%d", h.store.version/250, h.store.version%250+1)
	p.Status.PodIPs = []v1.PodIP{{IP: p.Status.PodIP}}
	p.Status.ContainerStatuses = []v1.ContainerStatus{{Name: p.Spec.Containers[0].Name}}
	p.Status.Conditions = []v1.PodCondition{{Type: v1.PodScheduled, Status: v1.ConditionTrue, LastTransitionTime: metav1.Now().Rfc3339Copy()}}
	setReady(p, false)
	return true
}

func setReady(p *v1.Pod, ready bool) {
	status := v1.ConditionFalse
	if ready {
		status = v1.ConditionTrue
	}
	p.Status.ContainerStatuses[0].Ready = ready
	for _, t := range []v1.PodConditionType{v1.ContainersReady, v1.PodReady} {
		found := false
		for i := range p.Status.Conditions {
			if c := &p.Status.Conditions[i]; c.Type == t {
				found = true
				if c.Status != status {
					c.Status, c.LastTransitionTime = status, metav1.Now().Rfc3339Copy()
				}
			}
		}
		if !found {
			p.Status.Conditions = append(p.Status.Conditions, v1.PodCondition{Type: t, Status: status, LastTransitionTime: metav1.Now().Rfc3339Copy()})
		}
	}
}

// terminate is called with the store locked.
func (h *host) terminate(pod *v1.Pod) {
	at := h.second(time.Now()).Add(seconds(h.gone[string(pod.UID)]))
	go func() {
		h.sleep(at)
		h.store.remove(pod)
	}()
}

func nodeName(i int) string { return fmt.Sprintf("node-%d", i+1) }

func node(i int) *v1.Node {
	resources := v1.ResourceList{"pods": resource.MustParse("110"), "cpu": resource.MustParse("8"), "memory": resource.MustParse("8Gi")}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName(i), Labels: map[string]string{"kubernetes.io/hostname": nodeName(i)}},
		Status: v1.NodeStatus{Capacity: resources, Allocatable: resources,
			Conditions: []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}},
	}
}
