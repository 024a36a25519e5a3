/**
 * One killed process can hold hundreds of chains for a minute: loops leave them out, and check that
 * they are free before they read what waits for them.
 */

import { unavailable } from '@einvoicing/domain/api-error'
import type { ChainLinks } from './mongo-audit-chain'

export class HeldChains {
  private readonly links: Pick<ChainLinks, 'tryChainEntries' | 'isFree'>
  private readonly held = new Set<string>()

  constructor(links: HeldChains['links']) {
    this.links = links
  }

  /** Of the organizations to be left out. */
  list(): string[] {
    return [...this.held]
  }

  /** False: held, and from now on in the list. */
  async chainEntries(organizationId: string): Promise<boolean> {
    const isChained = await this.links.tryChainEntries(organizationId)
    if (!isChained) this.held.add(organizationId)
    return isChained
  }

  /** SERVICE_UNAVAILABLE after the work on the others, for those that were held before it too. */
  async workOnOthers(work: () => Promise<void>): Promise<void> {
    for (const organizationId of this.held) {
      if (await this.links.isFree(organizationId)) this.held.delete(organizationId)
    }
    const stillHeld = this.held.size
    await work()
    if (stillHeld > 0) throw unavailable('The end of an audit log')
  }
}
