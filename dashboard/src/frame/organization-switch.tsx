import { Menu, Text, UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { announceSwitch, onSwitchElsewhere, switchOrganization } from '../api/memberships'
import { describeError } from '../components/error-alert'
import { Icon } from '../components/icon'
import { useSaving } from '../components/saving'
import { leaveSafely } from '../components/unsaved-changes'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import classes from './frame.module.css'

export function OrganizationSwitch() {
  const texts = useTexts()
  const { frame } = texts
  const { organizationId, organizationName, memberships } = useSession()
  useEffect(() => onSwitchElsewhere(() => window.location.reload()), [])
  const switching = useSaving({
    save: switchOrganization,
    onSaved: () => {
      announceSwitch()
      // Nothing of the other organization stays in memory.
      window.location.assign('/dashboard/')
    },
    onError: (error) =>
      notifications.show({ message: describeError(error, texts), color: 'red', autoClose: false }),
  })
  if (memberships.length < 2) return null
  return (
    <Menu
      position="bottom-start"
      width={280}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <UnstyledButton
          className={classes['organization']}
          aria-label={frame.organizationOf(organizationName)}
          disabled={switching.isSaving}
        >
          <Icon name="organization" size={18} />
          <Text
            component="span"
            size="sm"
            fw={600}
            truncate
            className={classes['organizationName']}
          >
            {organizationName}
          </Text>
          <Icon name="chevronDown" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes['organizations']}>
        <Menu.Label>{frame.switchOrganization}</Menu.Label>
        {memberships.map(({ organizationId: id, name, role }) => (
          <Menu.Item
            key={id}
            aria-current={id === organizationId}
            rightSection={id === organizationId && <Icon name="check" size={16} />}
            onClick={() => {
              if (id !== organizationId) leaveSafely(() => switching.run(id))
            }}
          >
            <Text size="sm" fw={600} className={classes['offeredName']}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {frame.roles[role]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
