import type { DesktopChoices } from '#shared/domain/desktop/desktop.ts'
import { command } from '../../../store/command.ts'

export const askDesktop = command('desktop/asked', (_input: undefined, engine) => engine.desktop.state(), {
  quiet: true,
})

/** Refused beside the row that asked. */
export const chooseDesktop = command(
  'desktop/chosen',
  (desktop: DesktopChoices, engine) => engine.settings.update({ desktop }),
  { quiet: true },
)

export const chooseFolder = command('desktop/folderChosen', (_input: undefined, engine) =>
  engine.desktop.chooseFolder(),
)
