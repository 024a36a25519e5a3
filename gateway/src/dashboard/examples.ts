import { organizationId } from '../invoices/examples'

export const at = '2026-05-03T09:30:00.000Z'
export const password = 'orange blossom'
export const newPassword = 'saffron and cedar'
export const token = 'Zk3v0mJ8pYq2Wc7tLr5nXe1aSd9fGh4uKb6iVo0wMzE'

export const identity = {
  organizationId,
  organizationName: 'Atelier Nord SARL',
  userId: 'b8a1f6de-52c4-4e0f-9a63-7d1e2f3a4b5c',
  email: 'nadia@example.com',
  role: 'OWNER',
  expiresAt: '2026-05-03T21:30:00.000Z',
  environment: 'test',
  secondFactorMissing: false,
  emailUnverified: false,
  memberships: [
    { organizationId, name: 'Atelier Nord SARL', role: 'OWNER' },
    {
      organizationId: '5d0c8e1b-9f2a-4c37-8b64-1e7a3f5d9c20',
      name: 'Menuiserie du Rif SARL',
      role: 'ACCOUNTANT',
    },
  ],
}

export const invitedMember = {
  id: 'c7d2e9a4-1f3b-4a58-8e6d-9b0c1d2e3f4a',
  email: 'karim@example.com',
  role: 'MEMBER',
  status: 'INVITED',
  createdAt: '2026-05-04T08:00:00.000Z',
  invitationExpiresAt: '2026-05-11T08:00:00.000Z',
  isSelf: false,
}
