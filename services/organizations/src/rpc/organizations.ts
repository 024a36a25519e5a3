import { callerOrganization } from '@einvoicing/rpc/caller'
import { toItemError } from '@einvoicing/rpc/item-error'
import { limits } from '@einvoicing/domain/limits'
import { checkDependencies, type Probe } from '@einvoicing/rpc/readiness'
import type { Service } from '@einvoicing/rpc/call'
import { toLogIds } from '@einvoicing/runtime/trace'
import type { Identity, OrganizationsService } from '@einvoicing/proto/organizations'
import { authenticateKeys } from '../authenticate'
import { authenticateMember } from '../authenticate-member'
import { cancelEmailChange, changeEmail, getEmail } from '../change-email'
import { changePassword } from '../change-password'
import { createApiKey, rotateApiKey } from '../create-api-key'
import type { Deps } from '../deps'
import { endSession } from '../end-session'
import { acceptInvitation, readInvitation } from '../invitation'
import { inviteMember } from '../invite-member'
import { changeMemberRole, leaveOrganization, removeMember } from '../members'
import { listMemberships, switchOrganization, withMemberships } from '../memberships'
import { getOrganization, replaceLegalMentions } from '../organization'
import {
  confirmSession,
  endMemberSessions,
  endSessions,
  listSessions,
  offerPasskeyConfirmation,
} from '../own-sessions'
import { resetPassword } from '../password-reset'
import { requestPasswordReset } from '../request-password-reset'
import { sendMemberReset } from '../send-member-reset'
import { revokeApiKey } from '../revoke-api-key'
import {
  beginTotp,
  confirmTotp,
  getSecondFactors,
  removeTotp,
  renewRecoveryCodes,
} from '../second-factor/authenticator'
import {
  completeSignIn,
  offerPasskeySignIn,
  signInWithPasskey,
} from '../second-factor/complete-sign-in'
import {
  addPasskey,
  offerPasskey,
  removePasskey,
  renamePasskey,
} from '../second-factor/own-passkeys'
import { requireSecondFactor } from '../second-factor/require'
import { signIn } from '../sign-in'
import { signUp } from '../sign-up'
import { requestEmailVerification, verifyEmail } from '../verify-email'

// All live keys, and as many expired and revoked ones.
const apiKeysListed = 2 * limits.apiKeysPerOrganization

// Several organizations may claim one ICE.
const issuersOfIce = 100

export function organizationsHandlers(
  deps: Deps,
  probes: readonly Probe[],
): Service<OrganizationsService> {
  const { store, log } = deps
  const opened = (identity: Identity) => withMemberships(deps, identity)
  return {
    ...apiKeyHandlers(deps),
    ...secondFactorHandlers(deps),
    ...emailHandlers(deps),
    signUp: async (request) => opened(await signUp(deps, request)),
    signIn: async (request, call) => opened(await signIn(deps, request, call)),
    authenticateMember: (request) => authenticateMember(deps, request),
    changePassword: async (request, call) => opened(await changePassword(deps, request, call)),
    inviteMember: (request, call) => inviteMember(deps, request, call),
    changeMemberRole: (request, call) => changeMemberRole(deps, request, call),
    readInvitation: (request) => readInvitation(deps, request),
    acceptInvitation: async (request, call) => opened(await acceptInvitation(deps, request, call)),
    listMemberships: (request) => listMemberships(deps, request),
    switchOrganization: async (request, call) =>
      opened(await switchOrganization(deps, request, call)),
    async findIssuers({ ice }) {
      const found = ice === '' ? [] : await store.listByIce(ice, issuersOfIce + 1)
      const more = found.length > issuersOfIce
      return { organizationIds: found.slice(0, issuersOfIce), ...(more && { more }) }
    },
    async endSession(request, call) {
      await endSession(deps, request, call)
      return {}
    },
    listSessions: (request, call) => listSessions(deps, request, call),
    endSessions: (request, call) => endSessions(deps, request, call),
    endMemberSessions: (request, call) => endMemberSessions(deps, request, call),
    confirmSession: (request, call) => confirmSession(deps, request, call),
    async requestPasswordReset(request) {
      await requestPasswordReset(deps, request)
      return {}
    },
    async resetPassword(request) {
      await resetPassword(deps, request)
      return {}
    },
    getOrganization: (_, call) => getOrganization(deps, call),
    replaceLegalMentions: (request, call) => replaceLegalMentions(deps, request, call),
    async listMembers(_, { caller }) {
      return { members: await store.listMembers(callerOrganization(caller)) }
    },
    async removeMember(request, call) {
      await removeMember(deps, request, call)
      return {}
    },
    async sendMemberReset(request, call) {
      await sendMemberReset(deps, request, call)
      return {}
    },
    leaveOrganization: (request, call) => leaveOrganization(deps, request, call),
    async listOrganizationAudit(page, { caller }) {
      return store.listAudit(callerOrganization(caller), page)
    },
    checkOrganizations: (_, call) => checkDependencies(probes, { call, log }),
  }
}

function emailHandlers(deps: Deps) {
  return {
    async requestEmailVerification(request) {
      await requestEmailVerification(deps, request)
      return {}
    },
    verifyEmail: (request, call) => verifyEmail(deps, request, call),
    getEmail: (request, call) => getEmail(deps, request, call),
    changeEmail: (request, call) => changeEmail(deps, request, call),
    cancelEmailChange: (request, call) => cancelEmailChange(deps, request, call),
  } satisfies Partial<Service<OrganizationsService>>
}

function secondFactorHandlers(deps: Deps) {
  const opened = (identity: Identity) => withMemberships(deps, identity)
  return {
    completeSignIn: async (request, call) => opened(await completeSignIn(deps, request, call)),
    offerPasskeySignIn: (place) => offerPasskeySignIn(deps, place),
    signInWithPasskey: async (request, call) =>
      opened(await signInWithPasskey(deps, request, call)),
    offerPasskeyConfirmation: (place, call) => offerPasskeyConfirmation(deps, place, call),
    getSecondFactors: (request, call) => getSecondFactors(deps, request, call),
    beginTotp: (request, call) => beginTotp(deps, request, call),
    confirmTotp: (request, call) => confirmTotp(deps, request, call),
    async removeTotp(request, call) {
      await removeTotp(deps, request, call)
      return {}
    },
    renewRecoveryCodes: (request, call) => renewRecoveryCodes(deps, request, call),
    offerPasskey: (place, call) => offerPasskey(deps, place, call),
    addPasskey: (request, call) => addPasskey(deps, request, call),
    renamePasskey: (request, call) => renamePasskey(deps, request, call),
    async removePasskey(request, call) {
      await removePasskey(deps, request, call)
      return {}
    },
    requireSecondFactor: (request, call) => requireSecondFactor(deps, request, call),
  } satisfies Partial<Service<OrganizationsService>>
}

function apiKeyHandlers(deps: Deps) {
  const { store, lastUses, now, log } = deps
  return {
    async authenticate({ keySha256, clientNetwork }) {
      const clientNetworks = clientNetwork === undefined ? [] : [clientNetwork]
      const keys = { keysSha256: [keySha256], clientNetworks }
      const [outcome] = await authenticateKeys(deps, keys)
      if (outcome?.status === 'fulfilled') return outcome.value
      throw outcome?.reason
    },
    async authenticateKeys(request, call) {
      const logFields = { method: 'organizations.authenticateKeys', ...toLogIds(call) }
      const outcomes = await authenticateKeys(deps, request)
      const answers = outcomes.map((outcome) =>
        outcome.status === 'fulfilled'
          ? { authentication: outcome.value, error: undefined }
          : { authentication: undefined, error: toItemError(outcome.reason, logFields, log) },
      )
      return { answers }
    },
    createApiKey: (request, call) => createApiKey(deps, request, call),
    rotateApiKey: (request, call) => rotateApiKey(deps, request, call),
    revokeApiKey: (request, call) => revokeApiKey(deps, request, call),

    async listApiKeys(_, { caller }) {
      const listed = { now: now().toISOString(), max: apiKeysListed }
      const keys = await store.listApiKeys(callerOrganization(caller), listed)
      return { apiKeys: keys.map((key) => lastUses.toDate(key)) }
    },
  } satisfies Partial<Service<OrganizationsService>>
}
