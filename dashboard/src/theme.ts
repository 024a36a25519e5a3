/**
 * The values are in `theme.json`; the build makes the CSS variables from it, because our content
 * security policy blocks the style tag that Mantine would add.
 */

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

/** `close`: what the buttons that close say, in the reader's language. */
export function createPageTheme(close: string) {
  const closeButtonProps = { 'aria-label': close }
  return createTheme({
    ...(values as MantineThemeOverride),
    components: {
      // The eye is for the mouse alone, and speaks English.
      PasswordInput: PasswordInput.extend({
        defaultProps: { visibilityToggleButtonProps: { 'aria-hidden': true } },
      }),
      // A link in a text is known without its colour.
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
