/** Returns the manifest of a Deployment named web; the lines are those of its container app, after the image. */
export function deploymentYaml(replicas: number, ...container: readonly string[]): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: web:1
${container.map((line) => `        ${line}\n`).join('')}`;
}
