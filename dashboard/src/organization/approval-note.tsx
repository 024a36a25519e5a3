import { Alert } from '@mantine/core'
import { useOrganization } from '../api/organization'
import { useTexts } from '../i18n/texts'

/** On every page, until the organization may sign. */
export function ApprovalNote() {
  const { approval: texts } = useTexts()
  const { data } = useOrganization()
  const approval = data?.approval
  return (
    <div role="status">
      {approval && (
        <Alert
          color={approval === 'PENDING' ? 'yellow' : 'red'}
          title={texts[approval].title}
          mb="lg"
        >
          {texts[approval].text}
          {approval === 'PENDING' && data.missing.length > 0 && ` ${texts.incomplete}`}
        </Alert>
      )}
    </div>
  )
}
