import { useApiKeys } from '../api/api-keys'
import { useTexts } from '../i18n/texts'

export interface ActorName {
  kind: string
  /** An email address, the key's name if known, or an id. */
  name: string
  id: string
}

/** Reads `user:name@example.com`, `api-key:…`, `service:clearance` and `operator:name`. */
export function useActorName(): (actor: string) => ActorName {
  const { audit } = useTexts()
  const apiKeys = useApiKeys()
  return (actor) => {
    const colon = actor.indexOf(':')
    const [kind, id] = colon < 0 ? [actor, ''] : [actor.slice(0, colon), actor.slice(colon + 1)]
    const apiKey = kind === 'api-key' && apiKeys.data?.find((known) => known.id === id)
    return { kind: audit.actors[kind] ?? kind, name: apiKey ? apiKey.name : id, id }
  }
}
