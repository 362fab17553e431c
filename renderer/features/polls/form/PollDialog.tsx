import { useId, useRef, useLayoutEffect, type KeyboardEvent, type PointerEvent } from 'react'
import { MAX_POLL_VOTES, MIN_POLL_VOTES, MAX_POLL_OPTIONS } from '#shared/constants.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import type { PollFormOption } from '#shared/domain/poll.ts'
import type { PollProblem } from '#shared/rules/polls/poll-form.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { asSentence } from '../../../lib/text/rich.tsx'
import { fieldsOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useSession } from '../../../store/hooks.ts'
import { JUST_SENT } from '../../../store/command.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { MomentFields } from '../../../ui/Dates/MomentDialog.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { cx } from '../../../lib/cx.ts'
import { useMenu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
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

/** The options. Alt with an arrow key or the drag handle moves one; a pasted list becomes one option per line. */
function OptionList({ it }: { readonly it: PollFormModel }) {
  const t = useTexts('polls')
  const list = useRef<HTMLUListElement>(null)
  const wanted = useRef<number>(undefined)
  const focus = (id: number | undefined): void => {
    wanted.current = id
    fieldOf(list.current, id)?.focus()
  }
  useLayoutEffect(() => {
    // A row moved in the document loses the focus.
    const field = fieldOf(list.current, wanted.current)
    wanted.current = undefined
    field?.focus()
  })
  const { options } = it.form
  return (
    <div className={styles['field']} role="group" aria-label={t('form.options')}>
      <div className={styles['label']}>
        <span>{t('form.options')}</span>
        <span className={styles['count']}>{t('form.optionsOf', { count: it.written, max: MAX_POLL_OPTIONS })}</span>
      </div>
      <ul ref={list} className={styles['options']}>
        {options.map((option, index) => (
          <OptionRow
            key={option.id}
            it={it}
            option={option}
            index={index}
            problem={it.problems.options.get(option.id)}
            onWant={(id) => {
              wanted.current = id
            }}
            onFocus={focus}
          />
        ))}
      </ul>
      {it.leftOut > 0 ? (
        <p className={styles['warning']} role="alert">
          {t('form.leftOut', { count: it.leftOut, max: MAX_POLL_OPTIONS })}
        </p>
      ) : null}
      <p className={styles['hint']}>{t('form.optionsHint')}</p>
    </div>
  )
}

const fieldOf = (list: Element | null, id: number | undefined): HTMLInputElement | null | undefined =>
  id === undefined ? undefined : list?.querySelector<HTMLInputElement>(`[data-option="${id}"]`)

type RowProps = {
  readonly it: PollFormModel
  readonly option: PollFormOption
  readonly index: number
  readonly problem: PollProblem | undefined
  /** Focuses this option after the next render. */
  readonly onWant: (id: number) => void
  readonly onFocus: (id: number | undefined) => void
}

function OptionRow({ it, option, index, problem, onWant, onFocus }: RowProps) {
  const t = useTexts('polls')
  const { options } = it.form
  const number = index + 1
  const isNew = index === options.length - 1 && option.text.trim() === ''
  const errorId = `poll-option-${option.id}-error`
  const move = (to: number): void => {
    if (to < 0 || to >= it.written || to === index) return
    it.move(option.id, to)
    announce(t('form.moved', { number: to + 1, count: it.written }))
  }
  const remove = (): void => {
    onFocus((options[index + 1] ?? options[index - 1])?.id)
    it.remove(option.id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step !== undefined && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      if (!event.altKey) return onFocus(options[index + step]?.id)
      if (isNew) return
      onWant(option.id)
      move(index + step)
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !isNew) {
      event.preventDefault()
      onFocus(options[index + 1]?.id)
    } else if (event.key === 'Backspace' && option.text === '' && options.length > 1) {
      event.preventDefault()
      onFocus((options[index - 1] ?? options[index + 1])?.id)
      if (!isNew) it.remove(option.id)
    }
  }
  return (
    <li className={styles['option']}>
      {isNew ? <span className={styles['grip']} /> : <Grip index={index} count={it.written} onMove={move} />}
      <div className={styles['optionField']}>
        <input
          data-option={option.id}
          className={cx(
            styles['input'],
            problem !== undefined && styles['wrong'],
            it.problems.repeated.has(option.id) && styles['repeated'],
          )}
          value={option.text}
          maxLength={500}
          autoComplete="off"
          placeholder={isNew ? t('form.addOption') : t('form.option', { number })}
          aria-label={isNew ? t('form.addOption') : t('form.option', { number })}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : errorId}
          aria-keyshortcuts={isNew ? undefined : 'Alt+ArrowUp Alt+ArrowDown'}
          onChange={(event) => it.write(option.id, event.target.value)}
          onBlur={() => (isNew ? undefined : it.leave(option.id))}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (it.paste(option.id, event.clipboardData.getData('text/plain'))) event.preventDefault()
          }}
        />
        {problem === undefined ? null : (
          <p id={errorId} className={styles['error']} role="alert">
            <Icon name="alert-circle" size={14} />
            {t(`form.problems.${problem}`)}
          </p>
        )}
      </div>
      {isNew ? (
        <span className={styles['noRemove']} />
      ) : (
        <IconButton icon="x" size="small" label={t('form.removeOption', { number })} onClick={remove} />
      )}
    </li>
  )
}

type GripProps = { readonly index: number; readonly count: number; readonly onMove: (to: number) => void }

/**
 * Drag handle; a press without dragging offers a step up or down. By keyboard, Alt and the arrow keys in the field do the
 * same.
 */
function Grip({ index, count, onMove }: GripProps) {
  const t = useTexts('polls')
  const held = useRef(false)
  const moved = useRef(false)
  const menu = useMenu({
    label: t('form.moveOption', { number: index + 1 }),
    items: () => [...(index === 0 ? [] : [stepItem('up', -1)]), ...(index === count - 1 ? [] : [stepItem('down', 1)])],
  })
  const stepItem = (id: 'up' | 'down', by: 1 | -1): MenuItem => ({
    id,
    label: t(`form.step.${id}`),
    icon: id === 'up' ? 'arrow-up' : 'arrow-down',
    onSelect: () => onMove(index + by),
  })
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const rows = [...(event.currentTarget.closest('ul')?.children ?? [])]
    if (!held.current) return
    const to = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return event.clientY >= top && event.clientY < bottom
    })
    if (to < 0 || to === index) return
    moved.current = true
    onMove(to)
  }
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        {...menu.triggerProps}
        aria-label={t('form.moveOption', { number: index + 1 })}
        data-grip={index}
        onClick={(event) => {
          if (!moved.current && count > 1) menu.triggerProps.onClick(event)
        }}
        className={styles['grip']}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          held.current = true
          moved.current = false
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          held.current = false
        }}
        onPointerCancel={() => {
          held.current = false
        }}
      >
        <Icon name="grip" size={16} />
      </button>
      {menu.menu}
    </>
  )
}
