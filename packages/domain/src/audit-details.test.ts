import { translateAuditDetail } from './audit-details'

test.each([
  ['member.invited', 'a@b.ma, MEMBER', 'a@b.ma, Membre', 'a@b.ma, Member'],
  ['member.joined', 'READ_ONLY', 'Lecture seule', 'Read-only'],
  ['member.joined', 'ACCOUNTANT', 'Comptable', 'Accountant'],
  [
    'member.role-changed',
    'OWNER@b.ma: OWNER → MEMBER',
    'OWNER@b.ma: Propriétaire → Membre',
    'OWNER@b.ma: Owner → Member',
  ],
  [
    'member.removed',
    'invited@b.ma, OWNER, invited',
    'invited@b.ma, Propriétaire, invitation en attente',
    'invited@b.ma, Owner, invited',
  ],
  ['user.switched', 'entered', 'entrée', 'entered'],
  ['user.switched', 'left', 'sortie', 'left'],
  [
    'password.reset-offered',
    'a@b.ma, requested from 10.0.0.0/24',
    'a@b.ma, demandé depuis 10.0.0.0/24',
    'a@b.ma, requested from 10.0.0.0/24',
  ],
  [
    'user.sign-in-failed',
    '3 from 10.0.0.0/24, 2 from other networks',
    '3 depuis 10.0.0.0/24, 2 depuis d’autres réseaux',
    '3 from 10.0.0.0/24, 2 from other networks',
  ],
  ['api-key.created', 'MEMBER from other networks', 'MEMBER from other networks', undefined],
])('%s: %s', (action, detail, french, english = detail) => {
  expect(translateAuditDetail(action, detail, 'fr')).toBe(french)
  expect(translateAuditDetail(action, detail, 'en')).toBe(english)
})
