// Written by scripts/generate-schema.mjs.

/** The types of meta/v1 that a pod or a workload is made of, as of k8s.io/api v0.36.3. */
export const META_V1 = {
  LabelSelector: {
    matchLabels: 'map[string]string',
    matchExpressions: '[]LabelSelectorRequirement',
  },
  LabelSelectorRequirement: {
    key: 'string!',
    operator: 'LabelSelectorOperator!',
    values: '[]string',
  },
  List: { '': 'TypeMeta', metadata: 'ListMeta', items: '[]RawExtension!' },
  ListMeta: {
    selfLink: 'string',
    resourceVersion: 'string',
    continue: 'string',
    remainingItemCount: '*int64',
    shardInfo: '*ShardInfo',
  },
  ManagedFieldsEntry: {
    manager: 'string',
    operation: 'ManagedFieldsOperationType',
    apiVersion: 'string',
    time: '*Time',
    fieldsType: 'string',
    fieldsV1: '*FieldsV1',
    subresource: 'string',
  },
  ObjectMeta: {
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    selfLink: 'string',
    uid: 'UID',
    resourceVersion: 'string',
    generation: 'int64',
    creationTimestamp: 'Time',
    deletionTimestamp: '*Time',
    deletionGracePeriodSeconds: '*int64',
    labels: 'map[string]string',
    annotations: 'map[string]string',
    ownerReferences: '[]OwnerReference',
    finalizers: '[]string',
    managedFields: '[]ManagedFieldsEntry',
  },
  OwnerReference: {
    apiVersion: 'string!',
    kind: 'string!',
    name: 'string!',
    uid: 'UID!',
    controller: '*bool',
    blockOwnerDeletion: '*bool',
  },
  ShardInfo: { selector: 'string!' },
  TypeMeta: { kind: 'string', apiVersion: 'string' },
} as const;
