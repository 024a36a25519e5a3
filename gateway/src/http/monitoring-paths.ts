/** Requested every few seconds by monitoring, most of all during incidents. */
export const monitoringPaths = /^\/(livez|servingz|readyz|metrics)(\?|$)/
