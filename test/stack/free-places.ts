import { findFreePort } from '@einvoicing/servers/ports'

/** Settings of a quiet process; a gateway takes whatever port is free. */
export async function freePlaces() {
  const at = async () => `127.0.0.1:${await findFreePort()}`
  return { LOG_LEVEL: 'warn', PORT: '0', RPC_ADDRESS: await at(), HEALTH_ADDRESS: await at() }
}
