/** Commands of the windows' registry in the menu bar, by menu, with gaps between groups. */
export const MENU_ACTIONS = {
  file: [
    ['newMessage', 'newChannel'],
    ['settings', 'shortcuts'],
  ],
  go: [
    ['switcher', 'search'],
    ['back', 'forward'],
    ['nextUnread', 'previousUnread'],
    ['catchUp', 'mentions', 'threads', 'reminders', 'drafts'],
  ],
} as const

export type MenuName = keyof typeof MENU_ACTIONS
export type MenuAction = (typeof MENU_ACTIONS)[MenuName][number][number]
