import { call } from './connection'
import type { Session } from './session'

export const switchOrganization = (organizationId: string) =>
  call<Session>('POST', '/session/organization', {
    body: { organizationId },
    fromAnyOrganization: true,
  })

export const leaveOrganization = () => call('DELETE', '/membership')

const channelName = 'organization'

/** All pages of this browser share the session, so each must show its organization. */
export function announceSwitch(): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('switched')
  channel.close()
}

export function onSwitchElsewhere(handle: () => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = handle
  return () => channel.close()
}
