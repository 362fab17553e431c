import { nextMonday, tomorrowMorning } from '#shared/rules/reminders/mornings.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { useHost } from '../../../store/hooks.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useMenu } from '../../../ui/Menu/use-menu.tsx'
import type { ComposerModel } from '../use-composer.ts'

type Morning = { readonly id: 'tomorrow' | 'monday'; readonly time: number }

/** On a Sunday tomorrow is the Monday: one line for one moment. */
function mornings(now: number): readonly Morning[] {
  const [tomorrow, monday] = [tomorrowMorning(now), nextMonday(now)]
  const first: Morning = { id: 'tomorrow', time: tomorrow }
  return tomorrow === monday ? [first] : [first, { id: 'monday', time: monday }]
}

/** Other ways to send than at once: by right click on the button, or Ctrl Shift Enter. */
export function useSendMenu(it: ComposerModel, onChooseTime: () => void): ReturnType<typeof useMenu> {
  const t = useTexts('composer')
  const { weekdayAndTime } = useFormats()
  const { os } = useHost()
  const { kind } = it.decision
  const slow = kind === 'slow'
  const goes = kind === 'ready' || kind === 'outbox'
  const no = goes || slow ? {} : { disabledReason: t('sendMenu.notNow') }
  const late = it.decision.kind === 'uploading' ? {} : no
  const at = (id: string, label: string, time: number): MenuItem => ({
    id,
    icon: 'alarm',
    label,
    hint: weekdayAndTime(time),
    ...late,
    onSelect: () => it.send({ sendAt: time }),
  })
  const items = (): readonly MenuItem[] => [
    slow
      ? { id: 'allowed', icon: 'hourglass', label: t('sendWhenAllowed'), onSelect: () => it.send({ whenReady: true }) }
      : { id: 'now', icon: 'arrow-up', label: t('send'), ...no, onSelect: () => it.send() },
    {
      id: 'silent',
      icon: 'bell-off',
      label: t('sendMenu.silent'),
      hint: t('sendMenu.silentHint'),
      ...no,
      onSelect: () => it.send({ whenReady: slow, silent: true }),
    },
    { kind: 'separator', id: 'later-line' },
    ...mornings(Date.now()).map(({ id, time }) => at(id, t(`later.${id}`), time)),
    { id: 'custom', icon: 'calendar', label: t('later.choose'), ...late, onSelect: onChooseTime },
    {
      kind: 'heading',
      id: 'later-honest',
      content: t('later.honest'),
    },
  ]
  return useMenu({
    label: `${t('sendMenu.label')} (${keysOf('Mod+Shift+Enter', os).join(' ')})`,
    items,
    placement: { side: 'above', align: 'end', gap: 6 },
  })
}
