import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyButton } from '../components/copy-button'
import { useTexts } from '../i18n/texts'

const list = {
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 8,
  margin: 0,
  padding: 0,
  listStyle: 'none',
}

/** Shown only once, so that only its button closes it. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const { security } = useTexts()
  const text = codes.join('\n')
  return (
    <Modal
      opened
      title={security.codesTitle}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      onClose={onClose}
    >
      <Stack>
        <Text size="sm">{security.codesLead}</Text>
        <ul style={list}>
          {codes.map((code) => (
            <Text key={code} component="li" ff="monospace" ta="center">
              {code}
            </Text>
          ))}
        </ul>
        <Group justify="space-between">
          <CopyButton text={text} />
          <Button onClick={onClose} data-autofocus>
            {security.codesKept}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
