package rollout

import "fmt"

// drain makes a scenario in which nodes are drained, most often within a PodDisruptionBudget.
func (g generator) drain(name string) *Scenario {
	s := &Scenario{Name: name, Nodes: 2 + g.Intn(3), Pods: map[string][]Script{"app:1": g.equal(g.chance(0.85))}}
	spec := m{"selector": m{"matchLabels": m{"app": "app"}}, "template": g.template("app:1")}
	if g.chance(0.3) {
		spec["minReadySeconds"] = pick(g, 1, 3, 5)
	}
	kind := "Deployment"
	if g.chance(0.3) {
		kind = "StatefulSet"
		g.statefulSet(spec, pick(g, 2, 3, 4))
	} else {
		g.deployment(spec, pick(g, 1, 2, 3, 4, 6, 8))
	}
	s.Object = m{"apiVersion": "apps/v1", "kind": kind, "metadata": m{"name": "app"}, "spec": spec}
	if g.chance(0.9) {
		limit := m{"minAvailable": pick[any](g, 1, 2, "50%", "80%", "100%")}
		if g.chance(0.5) {
			limit = m{"maxUnavailable": pick[any](g, 0, 1, "25%", "50%")}
		}
		if g.chance(0.3) {
			limit["unhealthyPodEvictionPolicy"] = "AlwaysAllow"
		}
		limit["selector"] = m{"matchLabels": m{"app": "app"}}
		s.PDB = m{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": m{"name": "app"}, "spec": limit}
	}
	at := float64(15+g.Intn(10)) + 0.5
	s.Actions = []Action{{At: at, Drain: nodeName(g.Intn(s.Nodes))}}
	switch g.Intn(4) {
	case 0:
		at += float64(5 + g.Intn(30))
		s.Actions = append(s.Actions, Action{At: at, Drain: nodeName(g.Intn(s.Nodes))})
	case 1:
		at += float64(1 + g.Intn(10))
		s.Actions = append(s.Actions, Action{At: at, Patch: g.update(s, 2)})
	case 2:
		at += float64(1 + g.Intn(10))
		s.Actions = append(s.Actions, Action{At: at, Patch: m{"spec": m{"replicas": g.Intn(7)}}})
	}
	s.Until = at - 0.5 + float64(30+g.Intn(30))
	return s
}

// equal has one script, so that it does not matter which of several pods is evicted.
func (g generator) equal(good bool) []Script { return g.scripts(good)[:1] }

func (g generator) update(s *Scenario, version int) m {
	image := fmt.Sprintf("app:%d", version)
	s.Pods[image] = g.equal(g.chance(0.6))
	return m{"spec": m{"template": m{"spec": m{"containers": []any{m{"name": "app", "image": image}}}}}}
}

// undo makes a scenario of a StatefulSet or a DaemonSet that is rolled back, or held by its partition or OnDelete.
func (g generator) undo(name string) *Scenario {
	kind := pick(g, "StatefulSet", "StatefulSet", "DaemonSet")
	s := &Scenario{Name: name, Nodes: 2 + g.Intn(3), Pods: map[string][]Script{"app:1": g.equal(true)}}
	spec := m{"selector": m{"matchLabels": m{"app": "app"}}, "template": g.template("app:1")}
	if g.chance(0.3) {
		spec["minReadySeconds"] = pick(g, 1, 3, 5)
	}
	replicas := 2 + g.Intn(4)
	if kind == "StatefulSet" {
		g.statefulSet(spec, replicas)
	} else if g.chance(0.5) {
		spec["updateStrategy"] = m{"type": "RollingUpdate", "rollingUpdate": m{"maxUnavailable": 0, "maxSurge": 1}}
	}
	s.Object = m{"apiVersion": "apps/v1", "kind": kind, "metadata": m{"name": "app"}, "spec": spec}
	at, version := float64(20+g.Intn(20))+0.5, 2
	s.Actions = []Action{{At: at, Patch: g.update(s, version)}}
	for range 1 + g.Intn(4) {
		at += float64(3 + g.Intn(20))
		s.Actions = append(s.Actions, g.hold(s, at, kind, replicas, &version))
	}
	s.Until = at - 0.5 + float64(30+g.Intn(40))
	return s
}

func (g generator) hold(s *Scenario, at float64, kind string, replicas int, version *int) Action {
	strategy := func(of m) Action { return Action{At: at, Patch: m{"spec": m{"updateStrategy": of}}} }
	switch c := g.Float64(); {
	case c < 0.35:
		return Action{At: at, Rollback: new(int64)}
	case c < 0.45:
		revision := int64(1 + g.Intn(*version))
		return Action{At: at, Rollback: &revision}
	case c < 0.55:
		*version++
		return Action{At: at, Patch: g.update(s, *version)}
	case c < 0.7 && kind == "StatefulSet":
		return strategy(m{"type": "RollingUpdate", "rollingUpdate": m{"partition": g.Intn(replicas + 1)}})
	case c < 0.78:
		return strategy(m{"type": "OnDelete", "rollingUpdate": nil})
	case kind == "StatefulSet":
		return Action{At: at, Delete: fmt.Sprintf("app-%d", g.Intn(replicas))}
	default:
		return Action{At: at, Delete: nodeName(g.Intn(s.Nodes))}
	}
}
