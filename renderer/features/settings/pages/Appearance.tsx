import type { CSSProperties } from 'react'
import { ACCENTS, type Accent as AccentName, type Theme } from '#shared/domain/settings.ts'
import { asMessageId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings, useMe, useSetting } from '../../../store/hooks.ts'
import { useShortcut } from '../../../app/keys/shortcuts.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { useRoving } from '../../../lib/page/roving.ts'
import { Tooltip } from '../../../ui/Popover/Popover.tsx'
import { cx } from '../../../lib/cx.ts'
import { hueOf } from '../../../ui/Avatar/Avatar.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Markdown } from '../../messages/index.ts'
import { Portrait } from '../../people/index.ts'
import { Reactions } from '../../messages/reactions/index.ts'
import { updateSettings } from '../commands.ts'
import { SettingRow, GoTo, SwitchRow } from '../controls/SettingRow.tsx'
import styles from '../controls/Looks.module.css'
import pageStyles from '../Settings.module.css'

/** Theme, density, text size, motion and the sidebar's shape. */
export function Appearance() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const keys = useShortcut('sidebar')
  const { density, messageWidth, sidebarCollapsed } = useSettings()
  return (
    <>
      <h2>{t('appearance.theme')}</h2>
      <ThemeChoice />
      <Accent />
      <h2>{t('appearance.messages')}</h2>
      <SettingRow title={t('appearance.density')} hint={t('appearance.densityHint')}>
        <Segments
          label={t('appearance.density')}
          value={density}
          onChange={(value) => void dispatch(updateSettings({ density: value }))}
          choices={[
            { value: 'comfortable', label: t('appearance.comfortable') },
            { value: 'compact', label: t('appearance.compact') },
          ]}
        />
      </SettingRow>
      <SettingRow title={t('appearance.width')} hint={t('appearance.widthHint')}>
        <Segments
          label={t('appearance.width')}
          value={messageWidth}
          onChange={(value) => void dispatch(updateSettings({ messageWidth: value }))}
          choices={[
            { value: 'reading', label: t('appearance.widths.reading') },
            { value: 'wide', label: t('appearance.widths.wide') },
          ]}
        />
      </SettingRow>
      <SettingRow title={t('appearance.textSize')} hint={t('appearance.textSizeHint')}>
        <TextSize />
      </SettingRow>
      <Sample />
      <Motion />
      <SettingRow title={t('appearance.sidebar')} hint={t('appearance.sidebarHint', { keys: keys.join(' + ') })}>
        <Segments
          label={t('appearance.sidebar')}
          value={sidebarCollapsed ? 'icons' : 'full'}
          onChange={(value) => void dispatch(updateSettings({ sidebarCollapsed: value === 'icons' }))}
          choices={[
            { value: 'full', label: t('appearance.sidebarFull') },
            { value: 'icons', label: t('appearance.sidebarIcons') },
          ]}
        />
      </SettingRow>
    </>
  )
}

/** The identity hue that each accent is; velvet is hue 5 in every theme. Source: `styles/choices.css`. */
const HUES: Readonly<Record<AccentName, string>> = {
  velvet: 'var(--hue-5)',
  blue: 'var(--hue-6)',
  violet: 'var(--hue-7)',
  plum: 'var(--hue-8)',
  moss: 'var(--hue-4)',
}

/** The accent color. A radio group: arrow keys move and select. */
function Accent() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { accent } = useSettings()
  const roving = useRoving({ ids: ACCENTS, orientation: 'both', wrap: true, initialId: accent })
  const { ref, ...listeners } = roving.containerProps
  const choose = (value: AccentName): void => void dispatch(updateSettings({ accent: value }))
  return (
    <SettingRow title={t('appearance.accent')} hint={t('appearance.accentHint')}>
      <span
        ref={(element) => {
          ref.current = element
        }}
        {...listeners}
        role="radiogroup"
        aria-label={t('appearance.accent')}
        className={styles['dots']}
      >
        {ACCENTS.map((value) => (
          <Tooltip key={value} text={t(`appearance.accents.${value}`)}>
            <button
              type="button"
              role="radio"
              aria-checked={value === accent}
              aria-label={t(`appearance.accents.${value}`)}
              className={styles['dot']}
              style={{ '--dot': HUES[value] } as CSSProperties}
              {...roving.itemProps(value)}
              onClick={() => choose(value)}
              onFocus={() => value !== accent && choose(value)}
            />
          </Tooltip>
        ))}
      </span>
    </SettingRow>
  )
}

/** A sample message of the viewer in the current appearance, with letters of all three languages. Not interactive. */
function Sample() {
  const t = useTexts('settings')
  const formats = useFormats()
  const isCompact = useSetting('density') === 'compact'
  const now = useMinute()
  const me = useMe()
  if (me === undefined) return null
  const name = cleanName(me.name)
  const time = <time className={styles['time']}>{formats.time(now)}</time>
  return (
    <div className={cx(styles['sample'], isCompact && styles['compact'])} inert>
      {isCompact ? time : <Portrait userId={me.id} size={36} />}
      <div>
        <div className={styles['head']}>
          <bdi className={styles['author']} style={isCompact ? { color: `var(--hue-${hueOf(me.id)})` } : undefined}>
            {name}
          </bdi>
          {isCompact ? null : time}
        </div>
        <Markdown text={t('appearance.sample', { name })} mentioned={[{ id: me.id, name }]} viewerId={undefined} />
        <Reactions messageId={SAMPLE} groups={REACTIONS} />
      </div>
    </div>
  )
}

const SAMPLE = asMessageId('sample')
const REACTIONS = [{ type: 'like', count: 3, sumScores: 3, firstAt: 0, lastAt: 0, own: true, userIds: [] }]

const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** A radio group with a preview of each theme. */
function ThemeChoice() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { theme } = useSettings()
  const roving = useRoving({ ids: THEMES, orientation: 'both', wrap: true, initialId: theme })
  const { ref, ...listeners } = roving.containerProps
  const choose = (value: Theme): void => void dispatch(updateSettings({ theme: value }))
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      {...listeners}
      role="radiogroup"
      aria-label={t('appearance.theme')}
      className={styles['themes']}
    >
      {THEMES.map((value) => (
        <button
          key={value}
          type="button"
          role="radio"
          aria-checked={value === theme}
          className={cx(styles['theme'], value === theme && styles['on'])}
          {...roving.itemProps(value)}
          onClick={() => choose(value)}
          onFocus={() => value !== theme && choose(value)}
        >
          <Preview theme={value} />
          <span className={styles['label']}>
            <span className={styles['radio']} aria-hidden="true" />
            {t(`appearance.themes.${value}`)}
          </span>
        </button>
      ))}
    </div>
  )
}

/** Rendered with the tokens of its theme; "System" shows half of each. */
function Preview({ theme }: { readonly theme: Theme }) {
  if (theme !== 'system') return <Picture theme={theme} />
  return (
    <span className={styles['split']} aria-hidden="true">
      <Picture theme="light" />
      <span className={styles['half']}>
        <Picture theme="dark" />
      </span>
    </span>
  )
}

function Picture({ theme }: { readonly theme: Theme }) {
  return (
    <span className={styles['picture']} data-theme={theme} aria-hidden="true">
      <span className={styles['side']}>
        <i />
        <i className={styles['chosen']} />
        <i />
        <i />
      </span>
      <span className={styles['content']}>
        <i className={styles['strong']} />
        <i />
        <i />
        <i className={styles['accent']} />
      </span>
    </span>
  )
}

const SMALLEST = 90
const LARGEST = 150

/** From 90 to 150 percent in steps of five. */
function TextSize() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { textScale } = useSettings()
  return (
    <span className={pageStyles['size']}>
      <span className={pageStyles['small']} aria-hidden="true">
        {t('appearance.letter')}
      </span>
      <input
        type="range"
        className={pageStyles['slider']}
        min={SMALLEST}
        max={LARGEST}
        style={{ '--filled': `${((textScale - SMALLEST) / (LARGEST - SMALLEST)) * 100}%` } as CSSProperties}
        step={5}
        value={textScale}
        aria-label={t('appearance.textSize')}
        aria-valuetext={t('appearance.percent', { percent: textScale })}
        onChange={(event) => void dispatch(updateSettings({ textScale: event.currentTarget.valueAsNumber }))}
      />
      <span className={pageStyles['large']} aria-hidden="true">
        {t('appearance.letter')}
      </span>
    </span>
  )
}

/** How much is animated. */
function Motion() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const { motion } = useSettings()
  return (
    <SettingRow title={t('appearance.motion')} hint={t('appearance.motionHint')}>
      <Segments
        label={t('appearance.motion')}
        value={motion}
        onChange={(value) => void dispatch(updateSettings({ motion: value }))}
        choices={[
          { value: 'system', label: t('appearance.system') },
          { value: 'full', label: t('appearance.full') },
          { value: 'reduced', label: t('appearance.reduced') },
        ]}
      />
    </SettingRow>
  )
}

const STAYS = { 0: 'always', 3: 'short', 8: 'long' } as const
const SECONDS = { always: 0, short: 3, long: 8 } as const
const SPEECH = ['full', 'brief', 'text'] as const
const ROW_NAMES = ['full', 'brief'] as const

/** Settings for seeing, hearing and using Parlor without a pointer. */
export function Accessibility() {
  const t = useTexts('preferences')
  const settings = useTexts('settings')
  const dispatch = useAppDispatch()
  const n = useTexts('notices')
  const { speech, rowNames, letterKeys, noticeSeconds } = useSettings()
  const keys = useShortcut('nextRegion')
  return (
    <>
      <h2>{t('accessibility.see')}</h2>
      <ThemeChoice />
      <p className={pageStyles['below']}>{t('accessibility.themeHint')}</p>
      <SettingRow title={settings('appearance.textSize')} hint={settings('appearance.textSizeHint')}>
        <TextSize />
      </SettingRow>
      <Motion />
      <h2>{t('accessibility.hear')}</h2>
      <SettingRow title={t('accessibility.speech')} hint={t(`accessibility.speechHints.${speech}`)}>
        <Segments
          label={t('accessibility.speech')}
          value={speech}
          onChange={(value) => void dispatch(updateSettings({ speech: value }))}
          choices={SPEECH.map((value) => ({ value, label: t(`accessibility.speechNames.${value}`) }))}
        />
      </SettingRow>
      <SettingRow title={t('accessibility.rows')} hint={t(`accessibility.rowsHints.${rowNames}`)}>
        <Segments
          label={t('accessibility.rows')}
          value={rowNames}
          onChange={(value) => void dispatch(updateSettings({ rowNames: value }))}
          choices={ROW_NAMES.map((value) => ({ value, label: t(`accessibility.rowsNames.${value}`) }))}
        />
      </SettingRow>
      <SettingRow title={n('stay.title')} hint={n('stay.hint')}>
        <Segments
          label={n('stay.title')}
          value={STAYS[noticeSeconds]}
          onChange={(value) => void dispatch(updateSettings({ noticeSeconds: SECONDS[value] }))}
          choices={[
            { value: 'short', label: n('stay.seconds', { count: 3 }) },
            { value: 'long', label: n('stay.seconds', { count: 8 }) },
            { value: 'always', label: n('stay.always') },
          ]}
        />
      </SettingRow>
      <SwitchRow
        title={t('accessibility.letters')}
        hint={t('accessibility.lettersHint')}
        on={letterKeys}
        onChange={(on) => void dispatch(updateSettings({ letterKeys: on }))}
      />
      <SettingRow title={t('accessibility.keys')} hint={t('accessibility.keysHint', { keys: keys.join(' + ') })}>
        <GoTo section="keyboard" label={t('accessibility.toKeyboard')} />
      </SettingRow>
    </>
  )
}
