import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Effect } from '#shared/domain/changes.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { Updates } from '#main/desktop/updates.ts'
import type { Host, SystemQuestion } from '#main/hosts/host.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { Translate } from '../texts.ts'
import type { CallWindow } from '../windows/windows.ts'

export type Updating = {
  readonly calls: HandlersOf<'updates', CallWindow>
  start(): void
  /** A window has opened. */
  cameUp(): void
  /** The settings have changed. */
  changed(): void
  stop(): void
}

type Options = {
  readonly host: Pick<Host, 'updates' | 'ending' | 'info' | 'ports' | 'log'>
  readonly store: Pick<SettingsStore, 'settings' | 'profile' | 'saveProfile'>
  readonly translate: Translate
  readonly notifyAll: (effect: Effect) => void
}

/** Connects updates with the settings, the stored state, the windows and the host. */
export function linkUpdates({ host, store, translate, notifyAll }: Options): Updating {
  const offered = host.updates ?? { unable: 'files' as const }
  const updates = new Updates({
    ...('unable' in offered ? { updates: undefined, unable: offered.unable } : { updates: offered, unable: undefined }),
    version: host.info.version,
    clock: host.ports.clock,
    log: host.log,
    mode: () => store.settings().desktop.updates,
    memory: {
      read: () => store.profile().updates,
      write: (memory) => void store.saveProfile({ updates: memory }),
    },
    notify: (state) => notifyAll({ type: 'updates', state }),
    // In a dialog of the system: it is the windows that may not open.
    help: (before) => void host.ending?.ask(wayBack(before)),
    leave: (work) => host.ending?.begin(work) ?? Promise.resolve(false),
  })
  const wayBack = (before: string): SystemQuestion => {
    const command = 'unable' in offered ? undefined : offered.commandBack?.(before)
    const text = (key: string, params: Readonly<Record<string, string>>): string =>
      translate('updates', `help.${key}`, params)
    return {
      message: text('title', { version: host.info.version }),
      detail: command === undefined ? text('remove', { before }) : `${text('install', { before })}\n${command}`,
      buttons: [text('close', {})],
      cancel: 0,
    }
  }
  const here = (): Updates => {
    if (updates.state.unable !== undefined) throw new AppError('update/none')
    return updates
  }
  return {
    calls: {
      check: () => here().check(),
      download: () => here().download(),
      install: () => here().install(),
      later: () => here().later(),
      skip: () => here().skip(),
    },
    start: () => updates.start(),
    cameUp: () => updates.cameUp(),
    changed: () => updates.changed(),
    stop: () => updates.stop(),
  }
}
