import { notifications } from '@mantine/notifications'
import { useOrganization } from '../api/organization'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { Page } from '../components/page'
import { ReadOnlyNote } from '../components/read-only-note'
import { Lines, Loaded } from '../components/states'
import { MentionsForm } from './mentions-form'

export function Organization() {
  const { frame, mentions } = useTexts()
  const { canManage } = useRights()
  const organization = useOrganization()
  return (
    <Page title={mentions.title} lead={mentions.lead}>
      {!canManage && <ReadOnlyNote />}
      <div className="panel">
        <Loaded query={organization} skeleton={<Lines count={9} height={72} />}>
          {(data) => (
            <MentionsForm
              organization={data}
              onSaved={() =>
                notifications.show({
                  title: frame.saved,
                  message: mentions.savedHint,
                  color: 'green',
                })
              }
            />
          )}
        </Loaded>
      </div>
    </Page>
  )
}
