import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { changePassword } from '../api/session'
import { useTexts } from '../i18n/texts'
import { NewPassword } from '../session/new-password'
import { findPasswordError } from '../session/credential-errors'
import { useSession } from '../session/session'
import type { PasswordOwner } from '@einvoicing/domain/password-rule'
import { Page } from '../components/page'
import { ChangeEmail } from './change-email'
import { LeaveOrganization } from './leave-organization'
import { Security } from './security'
import { OwnSessions } from './own-sessions'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'

export function Account() {
  const { account, security } = useTexts()
  const { email, organizationName } = useSession()
  return (
    <Page title={account.title} lead={account.lead(email, organizationName)}>
      <Stack>
        <Section title={account.password} lead={account.passwordHint}>
          <PasswordForm owner={{ email, organizationName }} />
        </Section>
        <Section title={account.email} lead={account.emailHint(email)}>
          <ChangeEmail />
        </Section>
        <Section title={security.title} lead={security.lead}>
          <Security />
        </Section>
        <Section title={account.sessions} lead={account.sessionsHint}>
          <OwnSessions />
        </Section>
        <Section title={account.leaving} lead={account.leavingHint}>
          <LeaveOrganization />
        </Section>
      </Stack>
    </Page>
  )
}

function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="panel">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {lead}
      </Text>
      {children}
    </section>
  )
}

function PasswordForm({ owner }: { owner: PasswordOwner }) {
  const { account, frame } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (password) => (password ? null : frame.required),
      newPassword: (password, { currentPassword }) =>
        findPasswordError(password, frame) ??
        (password === currentPassword ? account.samePassword : null),
    },
  })
  const saving = useFormSaving(form, {
    save: changePassword,
    onSaved: () => {
      form.reset()
      notifications.show({ message: account.changed, color: 'green' })
    },
  })
  return (
    <form onSubmit={saving.onSubmit} noValidate>
      <Stack maw={420}>
        <input type="hidden" name="username" autoComplete="username" value={owner.email} readOnly />
        <PasswordInput
          label={account.currentPassword}
          autoComplete="current-password"
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <NewPassword
          label={account.next}
          findOwner={() => owner}
          key={form.key('newPassword')}
          {...form.getInputProps('newPassword')}
        />
        <ErrorAlert error={saving.error} />
        <Button type="submit" loading={saving.isSaving} style={{ alignSelf: 'start' }}>
          {account.change}
        </Button>
      </Stack>
    </form>
  )
}
