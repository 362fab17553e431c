import { useId, useRef } from 'react'
import { MAX_POLL_VOTES, MIN_POLL_VOTES } from '#shared/constants.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { asSentence } from '../../../lib/text/as-sentence.ts'
import { fieldsOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { JUST_SENT } from '../../../store/command.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { MomentFields } from '../../../ui/Dates/MomentDialog.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { OptionList } from './OptionList.tsx'
import { usePollForm, type PollFormModel, type TakenPoll } from './use-poll-form.ts'
import styles from './PollDialog.module.css'

/** Longest question. Source: `polls.create` in shared/bridge. */
const NAME_LENGTH = 500
const DESCRIPTION_LENGTH = 5_000

/** Creates a poll for a channel. The form is saved until the poll is created, also when that fails. */
export function PollDialog({ cid, from }: { readonly cid: Cid; readonly from?: TakenPoll }) {
  const t = useTexts('polls')
  const dispatch = useAppDispatch()
  const it = usePollForm(cid, from)
  const question = useRef<HTMLInputElement>(null)
  const close = (): void => void dispatch(dialogClosed())
  const wrong = it.problems.count > 0 || it.closing !== undefined
  const submit = async (): Promise<void> => {
    if (await it.submit()) {
      announce(t(it.offline ? 'form.waits' : 'form.made'))
      close()
    } else focusFirstWrong(question.current)
  }
  return (
    <Dialog
      title={t('form.title')}
      width={540}
      initialFocus={question}
      onClose={close}
      onSubmit={() => void submit()}
      hint={<Hint it={it} />}
      actions={
        <>
          <Button onClick={close}>{t('form.cancel')}</Button>
          <Button variant="primary" type="submit" working={it.working} aria-disabled={wrong}>
            {t(it.failure?.code === JUST_SENT ? 'form.again' : 'form.create')}
          </Button>
        </>
      }
    >
      <TextField
        ref={question}
        label={t('form.question')}
        placeholder={t('form.questionHint')}
        value={it.form.name}
        maxLength={NAME_LENGTH}
        autoComplete="off"
        onChange={(name) => it.change({ name })}
        onBlur={() => it.leave('name')}
        error={it.problems.name === undefined ? undefined : t(`form.problems.${it.problems.name}`)}
      />
      <Description it={it} />
      <OptionList it={it} />
      <div className={styles['rules']}>
        <Rule
          title={t('form.unique')}
          hint={t('form.uniqueHint')}
          on={it.form.enforceUniqueVote}
          onChange={it.setUnique}
        />
        <Votes it={it} />
        <Rule
          title={t('form.anonymous')}
          hint={t('form.anonymousHint')}
          on={it.form.anonymous}
          onChange={(anonymous) => it.change({ anonymous })}
        />
        <Rule
          title={t('form.suggestions')}
          on={it.form.allowSuggestions}
          onChange={(allowSuggestions) => it.change({ allowSuggestions })}
        />
        <Rule
          title={t('form.answers')}
          on={it.form.allowAnswers}
          onChange={(allowAnswers) => it.change({ allowAnswers })}
        />
        <Closing it={it} />
      </div>
    </Dialog>
  )
}

/** Focuses the first invalid field on the next frame, when errors are rendered. */
function focusFirstWrong(inside: HTMLElement | null): void {
  const form = inside?.closest('form')
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

function Hint({ it }: { readonly it: PollFormModel }) {
  const t = useTexts('polls')
  const errorText = useErrorText()
  if (it.failure !== undefined) {
    return (
      <span className={styles['failed']} role="alert">
        {asSentence(errorText(it.failure))} {t('form.kept')}
      </span>
    )
  }
  if (it.problems.count > 0) return t('form.fix', { count: it.problems.count })
  if (it.offline) return t('form.offline')
  if (!it.resumed) return null
  return (
    <>
      {t('form.resumed')}{' '}
      <Button variant="link" size="small" onClick={it.clear}>
        {t('form.clear')}
      </Button>
    </>
  )
}

function Description({ it }: { readonly it: PollFormModel }) {
  const t = useTexts('polls')
  return (
    <TextArea
      label={t('form.description')}
      optional={t('form.optional')}
      rows={1}
      maxLength={DESCRIPTION_LENGTH}
      value={it.form.description}
      onChange={(description) => it.change({ description })}
    />
  )
}

type RuleProps = {
  readonly title: string
  readonly hint?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

function Rule({ title, hint, on, onChange }: RuleProps) {
  const id = useId()
  return (
    <div className={styles['rule']}>
      <div className={styles['text']}>
        <div id={id} className={styles['name']}>
          {title}
        </div>
        {hint === undefined ? null : (
          <div id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </div>
        )}
      </div>
      <Switch
        labelledBy={id}
        {...(hint === undefined ? {} : { describedBy: `${id}-hint` })}
        on={on}
        onChange={onChange}
      />
    </div>
  )
}

/** Closing time, with a note on who closes the poll. */
function Closing({ it }: { readonly it: PollFormModel }) {
  const t = useTexts('polls')
  const common = useTexts('common')
  const { dayAndTime } = useFormats()
  const now = useMinute()
  const isLocal = useSession().workspace?.kind !== 'hosted'
  const { closes } = it.form
  return (
    <>
      <Rule
        title={t('form.closes')}
        hint={t(isLocal ? 'form.closesHint' : 'form.closesHosted')}
        on={closes !== undefined}
        onChange={(on) => it.setCloses(on ? fieldsOf(tomorrowMorning(now)) : undefined)}
      />
      {closes === undefined ? null : (
        <div className={styles['moment']}>
          <MomentFields
            fields={closes}
            min={fieldsOf(now).date}
            error={it.closing === undefined ? undefined : common(`calendar.${it.closing}`)}
            onChange={it.setCloses}
          />
          {it.closesAt === undefined || it.closing !== undefined ? null : (
            <p className={styles['hint']}>{t('form.closesAt', { time: dayAndTime(it.closesAt) })}</p>
          )}
        </div>
      )}
    </>
  )
}

/** Votes per person; disabled with a note while votes are unique. */
function Votes({ it }: { readonly it: PollFormModel }) {
  const t = useTexts('polls')
  const id = useId()
  const unique = it.form.enforceUniqueVote
  const problem = it.problems.maxVotes
  return (
    <div className={styles['rule']}>
      <div className={styles['text']}>
        <label htmlFor={id} className={styles['name']}>
          {t('form.votes')}
        </label>
        <div id={`${id}-hint`} className={styles['hint']}>
          {unique ? t('form.uniqueOn') : t('form.votesHint', { min: MIN_POLL_VOTES, max: MAX_POLL_VOTES })}
        </div>
        {problem === undefined ? null : (
          <p id={`${id}-error`} className={styles['error']} role="alert">
            <Icon name="alert-circle" size={14} />
            {t(`form.problems.${problem}`)}
          </p>
        )}
      </div>
      <input
        id={id}
        className={styles['number']}
        inputMode="numeric"
        maxLength={9}
        disabled={unique}
        value={it.form.maxVotes}
        onChange={(event) => it.change({ maxVotes: event.target.value })}
        onBlur={() => it.leave('maxVotes')}
        onKeyDown={(event) => {
          const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
          if (step === undefined) return
          event.preventDefault()
          it.change({ maxVotes: String(stepped(it.form.maxVotes, step)) })
        }}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? `${id}-hint` : `${id}-error`}
      />
    </div>
  )
}

/** The next allowed number of votes; from an empty field the first one. */
function stepped(typed: string, by: number): number {
  const votes = Number.parseInt(typed, 10)
  if (Number.isNaN(votes)) return MIN_POLL_VOTES
  return Math.min(MAX_POLL_VOTES, Math.max(MIN_POLL_VOTES, votes + by))
}
