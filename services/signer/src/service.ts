import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { SettingsError } from '@einvoicing/runtime/env'
import { checkDependencies, type Probe } from '@einvoicing/rpc/readiness'
import type { Service } from '@einvoicing/rpc/call'
import { toLogIds } from '@einvoicing/runtime/trace'
import type { SignerService } from '@einvoicing/proto/signer'
import type { SignerConfig } from './config'
import { readExpiryMs } from './keys/certificate-expiry'
import { proveKey } from './keys/prove-key'
import { createSignVerified } from './keys/sign-verified'
import { KeyUnavailable, type SigningKey } from './keys/signing-key'
import { watchExpiry } from './keys/watch-expiry'
import { createSignInvoice, requireIdentity } from './sign-invoice'

export interface Signer {
  handlers: Service<SignerService>
  trustedCertificateFile: string | undefined
  close(): Promise<void>
}

interface SignerDeps {
  now: Clock
  log: Log
}

/** Throws if the key cannot work; a token that is only unavailable does not prevent the start. */
export async function openSigner(config: SignerConfig, deps: SignerDeps): Promise<Signer> {
  const { key, trustedCertificateFile } = await openKey(config, deps)
  const signVerified = createSignVerified(key, deps.now)
  await proveKey(key, signVerified).catch(async (error: unknown) => {
    if (error instanceof KeyUnavailable) return
    await key.close()
    throw error
  })
  const signInvoice = createSignInvoice({ key, signVerified, now: deps.now })
  const signDocument: Service<SignerService>['signDocument'] = async ({ invoice }, call) => {
    if (!invoice) throw new Error('signDocument was called without an invoice')
    const signed = await signInvoice(invoice, call.span)
    deps.log.debug(Object.assign(toLogIds(call), { invoiceId: invoice.id }), 'document signed')
    return signed
  }
  const expiry = watchExpiry(key, deps)
  const probe: Probe = {
    name: config.kind === 'software' ? 'key file' : config.kind,
    essential: true,
    check: () => proveKey(key, signVerified).catch(throwSettingsError),
  }
  return {
    trustedCertificateFile,
    async close() {
      expiry.close()
      await key.close()
    },
    handlers: {
      signDocument,
      getCertificate: async () => {
        const notAfter = new Date(readExpiryMs(requireIdentity(key))).toISOString()
        return { notAfter }
      },
      checkSigner: (_, call) => checkDependencies([probe], { call, log: deps.log }),
    },
  }
}

async function openKey(
  config: SignerConfig,
  deps: SignerDeps,
): Promise<{ key: SigningKey; trustedCertificateFile: string | undefined }> {
  if (config.kind === 'software') {
    const { openSoftwareKey } = await import('@einvoicing/signer/keys/software')
    return openSoftwareKey(config, deps)
  }
  const { openPkcs11Key } = await import('@einvoicing/signer/keys/pkcs11')
  const { trustedCertificateFile } = config
  return { key: await openPkcs11Key(config, deps), trustedCertificateFile }
}

// The reason names the wrong setting, so readiness shows it to the operator.
function throwSettingsError(error: unknown): never {
  throw new SettingsError([(error as Error).message])
}
