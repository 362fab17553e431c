import { join } from 'node:path'
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import type { SystemMenuItem, TrayCapability, TrayMark, TrayPicture, CommandCapability } from '../../host.ts'
import type { Os } from '../../rules/windows/window-options.ts'

type TrayOptions = {
  readonly os: Os
  readonly resources: string
  /** Queries whether the desktop shows tray icons; only needed on Linux. */
  readonly hasPlace: () => Promise<boolean>
}

/** Created when it is first needed: an unused one shows as an empty square on some desktops. */
export function electronTray({ os, resources, hasPlace }: TrayOptions): TrayCapability {
  let tray: Tray | undefined
  let shown: TrayMark | undefined
  let press = (): void => undefined

  function mark(name: TrayMark) {
    // macOS draws these itself, in the color of its bar.
    const image = nativeImage.createFromPath(
      join(resources, 'tray', `${os === 'macos' ? 'mono' : 'color'}-${name}.png`),
    )
    if (os === 'macos') image.setTemplateImage(true)
    return image
  }

  function make(name: TrayMark): Tray {
    const made = new Tray(mark(name))
    made.on('click', () => press())
    return made
  }

  function show({ mark: name, tooltip, items, onPress }: TrayPicture): void {
    press = onPress
    if (!tray) tray = make(name)
    else if (shown !== name) tray.setImage(mark(name))
    shown = name
    tray.setToolTip(tooltip)
    // On macOS a click would open the menu without an event; Linux shows no icon without a menu.
    tray.setContextMenu(Menu.buildFromTemplate(itemsOf(items)))
  }

  return {
    hasPlace: () => (os === 'linux' ? hasPlace() : Promise.resolve(true)),
    show(picture) {
      if (picture) return show(picture)
      tray?.destroy()
      tray = undefined
      shown = undefined
    },
  }
}

export const itemsOf = (items: readonly SystemMenuItem[]): MenuItemConstructorOptions[] =>
  items.map((item): MenuItemConstructorOptions => {
    if ('gap' in item) return { type: 'separator' }
    // A single & would mark the access key of the item.
    const label = item.label.replaceAll('&', '&&')
    if ('items' in item) return { label, submenu: itemsOf(item.items) }
    const { checked, run } = item
    return { label, click: () => run(), ...(checked === undefined ? {} : { type: 'checkbox', checked }) }
  })

const WATCHER = 'org.kde.StatusNotifierWatcher'
/** Two programs that query the session's bus; most desktops have one of them. */
const QUESTIONS: readonly (readonly string[])[] = [
  [
    'gdbus',
    ...'call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus'.split(' '),
    ...'--method org.freedesktop.DBus.NameHasOwner'.split(' '),
    WATCHER,
  ],
  [
    'dbus-send',
    ...'--session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus'.split(' '),
    'org.freedesktop.DBus.NameHasOwner',
    `string:${WATCHER}`,
  ],
]

/**
 * Whether this desktop shows tray icons. If unknown, it does not: a hidden window that
 * cannot be found again is worse than a program that ends.
 */
export async function trayHasPlace(commands: CommandCapability): Promise<boolean> {
  for (const question of QUESTIONS) {
    try {
      return /\btrue\b/.test(await commands.run(question))
    } catch {
      // Not installed, or no bus: try the next one.
    }
  }
  return false
}
