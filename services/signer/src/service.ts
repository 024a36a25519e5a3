/** The signer put together: opens the key, proves it, and only then answers. */

import type { Clock } from '@einvoicing/kernel/clock'
import type { Log } from '@einvoicing/kernel/log'
import { askAll, type Probe } from '@einvoicing/kernel/readiness'
import type { Service } from '@einvoicing/kernel/rpc'
import type { SignerService } from '@einvoicing/proto/signer'
import type { SignerConfig } from './config'
import { proveKey } from './keys/prove-key'
import { createSignVerified } from './keys/sign-verified'
import { openSoftwareKey } from './keys/software'
import { createSignInvoice } from './sign-invoice'
import { createSignatureTemplate } from './xades/signature'

export interface Signer {
  handlers: Service<SignerService>
  /** PEM of the certificate that verifiers of our documents trust. */
  trustedCertificateFile: string
  close(): Promise<void>
}

/** Throws, in one sentence, when there is no key that works. */
export async function openSigner(
  config: SignerConfig,
  deps: { now: Clock; log: Log },
): Promise<Signer> {
  const { key, trustedCertificateFile } = await openSoftwareKey(config, deps)
  const signVerified = createSignVerified(key, deps.now)
  await proveKey(signVerified)
  const template = createSignatureTemplate(key.algorithm, key.certificates)
  const signInvoice = createSignInvoice({ template, signVerified, now: deps.now })
  const probe: Probe = {
    name: config.kind,
    essential: true,
    check: () => proveKey(signVerified),
  }
  return {
    trustedCertificateFile,
    close: () => key.close(),
    handlers: {
      signDocument: async ({ invoice }) => {
        if (!invoice) throw new Error('signDocument came without an invoice')
        return signInvoice(invoice)
      },
      checkSigner: (_, call) => askAll([probe], { call, log: deps.log }),
    },
  }
}
