/** Names as in go-grpc-prometheus, which dashboards know. */

export const rpcLabels = ['grpc_service', 'grpc_method', 'grpc_code'] as const

/** Seconds. */
export const rpcBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function toRpcLabels(path: string): { grpc_service: string; grpc_method: string } {
  const [, service = '', method = ''] = path.split('/')
  return { grpc_service: service, grpc_method: method }
}
