import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { create } from 'qrcode'
import { beginTotp, confirmTotp } from '../api/second-factor'
import { CodeBlock } from '../components/code-block'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { Loaded } from '../components/states'
import { useTexts } from '../i18n/texts'

export interface AuthenticatorSetupProps {
  onDone(recoveryCodes: readonly string[]): void
  onClose(): void
}

export function AuthenticatorSetup({ onDone, onClose }: AuthenticatorSetupProps) {
  const { security } = useTexts()
  const begun = useQuery({
    queryKey: ['new-totp'],
    queryFn: beginTotp,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Modal opened onClose={onClose} title={security.totpSetUp} closeOnClickOutside={false}>
      <Loaded query={begun}>
        {({ secret, otpauthUri }) => (
          <Stack>
            <Text size="sm">{security.totpScan}</Text>
            <QrCode text={otpauthUri} label={security.totpQr} />
            <Text size="sm">{security.totpType}</Text>
            <CodeBlock
              text={secret.replace(/(.{16})(?=.)/g, '$1\n').replace(/(.{4})(?=.)/g, '$1 ')}
              label={security.totpSecret}
            />
            <FirstCode onDone={onDone} onClose={onClose} />
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}

function FirstCode({ onDone, onClose }: AuthenticatorSetupProps) {
  const { frame, security } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() ? null : frame.required) },
  })
  const saving = useFormSaving(form, {
    save: confirmTotp,
    onSaved: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <form onSubmit={saving.onSubmit} noValidate>
      <Stack>
        <TextInput
          label={security.code}
          description={security.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <ErrorAlert error={saving.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {frame.cancel}
          </Button>
          <Button type="submit" loading={saving.isSaving}>
            {security.totpTurnOn}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const quiet = 4

/** Drawn here: the secret goes to no other server. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const { size } = modules
  const dark = Array.from(modules.data, (isDark, index) =>
    isDark ? `M${(index % size) + quiet} ${Math.floor(index / size) + quiet}h1v1h-1z` : '',
  )
  const whole = size + 2 * quiet
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${whole} ${whole}`}
      width={220}
      height={220}
      style={{ alignSelf: 'center' }}
      shapeRendering="crispEdges"
    >
      <rect width={whole} height={whole} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
