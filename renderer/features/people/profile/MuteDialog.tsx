import { useState } from 'react'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { nextMonday, tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Radios } from '../../../ui/Choice/Choice.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { command } from '../../../store/command.ts'
import { muteBefore, personUndo } from './commands.ts'
import styles from './Profile.module.css'

type Target = { readonly cid: Cid } | { readonly userId: UserId }

/** Quiet: the dialog shows the error. */
const muteFor = command(
  'profile/muted',
  ({ target, forMs }: { target: Target; forMs: number | undefined }, engine) => {
    const length = forMs === undefined ? {} : { forMs }
    return 'cid' in target
      ? engine.channels.mute({ cid: target.cid, muted: true, ...length })
      : engine.people.mute({ userId: target.userId, muted: true, ...length })
  },
  {
    quiet: true,
    undo: ({ target }, before) =>
      'cid' in target
        ? {
            code: 'channel/muted',
            params: { name: channelTitle(before, target.cid) },
            undo: ({ engine }) =>
              engine.channels.mute({ cid: target.cid, ...muteBefore(before.entities.channels[target.cid]) }),
          }
        : personUndo('person/muted', target.userId, before),
  },
)

/** For how long to mute a channel or a person, with the end time of each choice. */
export function MuteDialog({ target }: { readonly target: Target }) {
  const t = useTexts('profile')
  const common = useTexts('common')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const isChannel = 'cid' in target
  const name = useAppSelector((state) =>
    isChannel ? channelTitle(state, target.cid) : cleanName(state.entities.users[target.userId]?.name ?? target.userId),
  )
  const [choice, setChoice] = useState<MuteChoice>('1h')
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    setWorking(true)
    const muted = await dispatch(muteFor({ target, forMs: muteLength(choice, Date.now()) }))
    setWorking(false)
    if (muted.ok) close()
    else formMessage.refuse(muted.error)
  }
  const label = (one: MuteChoice): string => {
    const end = muteEnd(one, now)
    return t(`muteDialog.choices.${one}`, { time: end === undefined ? '' : formats.time(end) })
  }
  const hint = (one: MuteChoice): string | undefined => {
    const end = muteEnd(one, now)
    return end === undefined || one === 'tomorrow' || one === 'monday' ? undefined : formats.weekdayAndTime(end)
  }
  return (
    <Dialog
      width={400}
      title={isChannel ? t('muteDialog.titleChannel', { name }) : t('muteDialog.titlePerson', { name })}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('muteDialog.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <DialogText>{isChannel ? t('muteDialog.textChannel') : t('muteDialog.textPerson')}</DialogText>
        <Radios
          label={t('muteDialog.for')}
          value={choice}
          onChange={setChoice}
          choices={muteChoices(now).map((value) => {
            const more = hint(value)
            return { value, label: label(value), hint: more }
          })}
        />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

const MUTE_CHOICES = ['30m', '1h', '8h', '24h', 'tomorrow', 'monday', 'always'] as const
type MuteChoice = (typeof MUTE_CHOICES)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When a mute ends, in epoch milliseconds, by the local calendar; `undefined`: never. */
export function muteEnd(choice: MuteChoice, now: number): number | undefined {
  switch (choice) {
    case '30m':
      return now + 30 * MINUTE_MS
    case '1h':
      return now + HOUR_MS
    case '8h':
      return now + 8 * HOUR_MS
    case '24h':
      return now + 24 * HOUR_MS
    case 'tomorrow':
      return tomorrowMorning(now)
    case 'monday':
      return nextMonday(now)
    case 'always':
      return undefined
  }
}

/** The choices that differ at this time: on a Sunday, Monday is tomorrow. */
export const muteChoices = (now: number): readonly MuteChoice[] =>
  MUTE_CHOICES.filter((choice) => choice !== 'monday' || nextMonday(now) !== tomorrowMorning(now))

/** The length in whole milliseconds; at least a minute, the minimum of the server. */
export function muteLength(choice: MuteChoice, now: number): number | undefined {
  const end = muteEnd(choice, now)
  return end === undefined ? undefined : Math.max(MINUTE_MS, Math.round(end - now))
}
