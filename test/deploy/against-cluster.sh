#!/usr/bin/env bash
# Applies every overlay to the API server of the current kubectl context, which must be one to throw away: makes and
# deletes the namespace einvoicing there. Refused, warned of, or changed by applying it again: each fails.
# Wants the CRDs of cert-manager and of the Prometheus operator.
set -euo pipefail
cd "$(dirname "$0")/../.."

overlays=(local production)
if kubectl get namespace einvoicing >/dev/null 2>&1; then
  echo "The namespace einvoicing is there already in $(kubectl config current-context): this is for clusters to throw away" >&2
  exit 1
fi
# What was asked for, but for the number of pods: that is the autoscalers'.
asked() {
  kubectl get -n einvoicing -o json deployments,statefulsets,services,configmaps,serviceaccounts,networkpolicies,pdb,hpa,pvc,jobs |
    node -e 'let s = ""; process.stdin.on("data", (d) => (s += d)).on("end", () => {
      for (const { kind, metadata, spec, data } of JSON.parse(s).items)
        console.log(kind, metadata.name, JSON.stringify([spec && { ...spec, replicas: 0 }, data]))
    })'
}

as_pods() {
  node -e 'let s = ""; process.stdin.on("data", (d) => (s += d)).on("end", () => {
      const items = JSON.parse(s).items.map(({ metadata: { name }, spec }) => {
        const { metadata, spec: pod } = spec.template
        const claimed = (spec.volumeClaimTemplates ?? []).map((claim) => ({
          name: claim.metadata.name, emptyDir: {} }))
        return { apiVersion: "v1", kind: "Pod",
          metadata: { ...metadata, name: `try-${name}`, namespace: "einvoicing" },
          spec: { ...pod, volumes: [...(pod.volumes ?? []), ...claimed] } }
      })
      console.log(JSON.stringify({ apiVersion: "v1", kind: "List", items }))
    })'
}

status=0
fail() {
  echo "  FAILED: $*"
  status=1
}
for overlay in "${overlays[@]}"; do
  echo "# $overlay"
  kubectl apply -f deploy/k8s/base/namespace.yaml >/dev/null
  for step in '--dry-run=server' ''; do
    # shellcheck disable=SC2086
    if ! said=$(kubectl apply -k "deploy/k8s/overlays/$overlay" $step 2>&1); then fail "$said"; fi
    if grep -i warning <<<"$said"; then fail 'warned'; fi
    echo "  ${step:-applied}: $(grep -c . <<<"$said") objects"
  done
  before=$(asked)
  kubectl apply -k "deploy/k8s/overlays/$overlay" >/dev/null
  diff <(echo "$before") <(asked) || fail 'applied again, something changed'
  kubectl diff -k "deploy/k8s/overlays/$overlay" || fail 'what is there is not what was applied'
  # Each template as a pod: Pod Security judges pods, and of what makes them it only warns.
  said=$(kubectl get -n einvoicing -o json deployments,statefulsets,jobs | as_pods |
    kubectl create --dry-run=server -f - 2>&1) || fail "$said"
  if grep -i warning <<<"$said"; then fail 'warned'; fi
  echo "  accepted: $(grep -c 'created (server dry run)' <<<"$said") pods"
  kubectl delete namespace einvoicing --timeout=180s >/dev/null
done
exit $status
