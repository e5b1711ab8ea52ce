// Package rollout runs the real controllers of Kubernetes over random scenarios in virtual time.
// See README.md.
package rollout
