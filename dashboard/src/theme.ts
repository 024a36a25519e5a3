/** The build makes CSS variables from `theme.json`: our policy blocks Mantine's style tag. */

import {
  Anchor,
  createTheme,
  Drawer,
  Modal,
  Notification,
  PasswordInput,
  type MantineThemeOverride,
} from '@mantine/core'
import values from './theme.json'

/** `close`: the label of close buttons. */
export function createPageTheme(close: string) {
  const closeButtonProps = { 'aria-label': close }
  return createTheme({
    ...(values as MantineThemeOverride),
    components: {
      // The eye is for the mouse only, and its label is English.
      PasswordInput: PasswordInput.extend({
        defaultProps: { visibilityToggleButtonProps: { 'aria-hidden': true } },
      }),
      // A link in a text must be visible without colour.
      Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
      // Locking the page's scroll would write a style tag.
      Modal: Modal.extend({
        defaultProps: { lockScroll: false, centered: true, closeButtonProps },
      }),
      Drawer: Drawer.extend({ defaultProps: { lockScroll: false, closeButtonProps } }),
      Notification: Notification.extend({ defaultProps: { closeButtonProps } }),
      // A second banner beside the page's.
      ModalHeader: Modal.Header.extend({ defaultProps: { role: 'presentation' } }),
      DrawerHeader: Drawer.Header.extend({ defaultProps: { role: 'presentation' } }),
    },
  })
}
