/** What the settings list besides their pages, in English. */
export const SETTINGS_PAGES = [
  'Account',
  'Notifications',
  'Appearance',
  'Messages',
  'Language and region',
  'Privacy and security',
  'Accessibility',
  'Keyboard',
  'App and system',
  'Advanced',
  'About Parlor',
] as const
