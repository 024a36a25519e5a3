/** One set of services, hurt in one way after the other: a start costs as much as a chapter. */

import { describeWith } from '@einvoicing/servers/describe-with'
import { disposeAfter } from '../stack/dispose-after'
import { backingServices, startServices, type Services } from '../stack/services'
import { testKilled } from './services-killed'
import { testSilent } from './services-silent'
import { testStopped } from './services-stopped'

describeWith(backingServices, 'services as processes', () => {
  const disposed = disposeAfter(afterAll)
  let services: Services | undefined
  beforeAll(async () => {
    services = disposed(await startServices({ gateways: 2 }))
  }, 300_000)
  const started = () => {
    if (!services) throw new Error('the services run only inside tests')
    return services
  }

  describe('asked to stop under load', () => testStopped(started))
  describe('silent one by one', () => testSilent(started))
  describe('killed under load', () => testKilled(started))
})
