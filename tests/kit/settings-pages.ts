/** What the settings list besides their pages, in English. */
export const SETTINGS_PAGES = [
  'Appearance',
  'Notifications',
  'Language and region',
  'Writing',
  'Reading',
  'Privacy',
  'Accounts',
  'Workspace emoji',
  'Desktop',
  'Keyboard',
  'Accessibility',
  'Network',
  'Storage',
  'Advanced',
  'About Parlor',
] as const
