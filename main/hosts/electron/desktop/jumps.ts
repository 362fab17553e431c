import { app, Menu, type JumpListItem } from 'electron'
import type { Jump, JumpCapability, SystemMenuItem } from '../../host.ts'
import type { Os } from '../../rules/windows/window-options.ts'
import { itemsOf } from './tray.ts'

/** Longer ones are cut off by Windows, which then drops the whole list. */
const LONGEST = 255

/** The dock's menu on macOS, the jump list on Windows; other taskbars have none for programs. */
export function electronJumps(os: Os): JumpCapability | undefined {
  if (os === 'macos') {
    return {
      set({ tasks, places, accounts }) {
        const groups = [accounts, places, tasks].filter((group) => group.length > 0)
        const items = groups.flatMap((group, at): readonly SystemMenuItem[] =>
          at === 0 ? group : [{ gap: true }, ...group],
        )
        app.dock?.setMenu(Menu.buildFromTemplate(itemsOf(items)))
      },
    }
  }
  if (os !== 'windows') return undefined
  return {
    set({ tasks, places, placesTitle }) {
      app.setJumpList([
        ...(places.length === 0 ? [] : [{ type: 'custom', name: placesTitle, items: places.flatMap(taskOf) } as const]),
        { type: 'tasks', items: tasks.flatMap(taskOf) },
      ])
    },
  }
}

/** Each starts Parlor with a link, which is passed to the running instance; it also works after Parlor has ended. */
function taskOf({ label, link }: Jump): JumpListItem[] {
  if (link === undefined) return []
  return [
    {
      type: 'task',
      title: label.slice(0, LONGEST),
      description: label.slice(0, LONGEST),
      program: process.execPath,
      args: `${app.isPackaged ? '' : `"${app.getAppPath()}" `}"${link}"`,
      iconPath: process.execPath,
      iconIndex: 0,
    },
  ]
}
