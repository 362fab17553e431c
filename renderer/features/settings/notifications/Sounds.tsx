import { type CSSProperties, useRef } from 'react'
import {
  OWN_SOUNDS,
  SOUNDS,
  type SoundKind,
  type OwnSound,
  type SoundName,
  type NotificationChoices,
} from '#shared/domain/notification.ts'
import { ownSound } from '#shared/rules/notifications/notifying.ts'
import { SOUND_FILE_BYTES } from '#shared/constants.ts'
import { useTexts, useFormats, useRemark } from '../../../i18n/index.ts'
import { Select } from '../../../ui/Choice/Choice.tsx'
import { toBase64 } from '../../../lib/files/base64.ts'
import { checkSound, playSound } from '../../../lib/page/sounds.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { loadSoundFile } from '../../../store/sound-file.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { dropSound, saveSound, updateSettings } from '../commands.ts'
import settings from '../Settings.module.css'
import styles from './Notifications.module.css'

/** The kinds that may differ from the sound of messages to the viewer. */
const OTHERS = ['message', 'reminder'] as const satisfies readonly SoundKind[]

/** The sound of a notification; the kinds that had the same one follow it. */
export function Sound() {
  const t = useTexts('notifications')
  const [{ sound, sounds }, choose] = useChoices()
  const choice = (value: SoundName): void => {
    if (value === 'none') return choose({ sound: false })
    const followers = OTHERS.filter((kind) => sounds[kind] === sounds.meant)
    choose({
      sound: true,
      sounds: { ...sounds, meant: value, ...Object.fromEntries(followers.map((kind) => [kind, value])) },
    })
  }
  return (
    <SettingRow title={t('page.sound')}>
      <SoundSelect label={t('page.sound')} value={sound ? sounds.meant : 'none'} onChoose={choice} />
    </SettingRow>
  )
}

/** What the other kinds sound like, the viewer's own file, and how loud Parlor's sounds are. */
export function OtherSounds() {
  const t = useTexts('notifications')
  const [{ sounds }, choose] = useChoices()
  const own = OWN_SOUNDS.some((name) => sounds.meant === name || OTHERS.some((kind) => sounds[kind] === name))
  return (
    <>
      {own ? (
        <SettingRow title={t('page.volume')} hint={t('page.volumeHint')}>
          <input
            type="range"
            className={settings['slider']}
            min={0}
            max={100}
            step={5}
            style={{ '--filled': `${sounds.volume}%` } as CSSProperties}
            value={sounds.volume}
            aria-label={t('page.volume')}
            onChange={({ currentTarget }) => choose({ sounds: { ...sounds, volume: currentTarget.valueAsNumber } })}
          />
        </SettingRow>
      ) : null}
      {OTHERS.map((kind) => (
        <SettingRow key={kind} title={t(`page.soundOf.${kind}`)}>
          <SoundSelect
            label={t(`page.soundOf.${kind}`)}
            value={sounds[kind]}
            onChoose={(value) => choose({ sounds: { ...sounds, [kind]: value } })}
          />
        </SettingRow>
      ))}
      <OwnFile />
    </>
  )
}

type SoundSelectProps = {
  readonly label: string
  readonly value: SoundName
  readonly onChoose: (value: SoundName) => void
}

/** A sound, and a button to hear it. */
function SoundSelect({ label, value, onChoose }: SoundSelectProps) {
  const t = useTexts('notifications')
  const [{ sounds }] = useChoices()
  const own = ownSound(value)
  const play = usePlay()
  return (
    <span className={styles['buttons']}>
      <IconButton
        icon="play"
        label={t('page.listen')}
        aria-disabled={own === undefined || undefined}
        onClick={() => own && void play(own)}
      />
      <Select
        label={label}
        value={value}
        onChange={onChoose}
        choices={SOUNDS.filter((name) => name !== 'file' || name === value || sounds.file !== '').map((name) => ({
          value: name,
          label: t(`page.sounds.${name}`),
        }))}
      />
    </span>
  )
}

/** Plays one of Parlor's sounds at the set volume. */
function usePlay(): (name: OwnSound) => Promise<void> {
  const dispatch = useAppDispatch()
  const [{ sounds }] = useChoices()
  return (name) =>
    playSound(name, sounds.volume, async () => {
      const loaded = await dispatch(loadSoundFile())
      return loaded.ok ? loaded.value : undefined
    })
}

/** The user's own sound file, available in the choices above. */
function OwnFile() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const [{ sounds }] = useChoices()
  const field = useRef<HTMLInputElement>(null)
  const { error, take, drop } = useOwnFile()
  return (
    <SettingRow
      title={t('page.file')}
      hint={
        <>
          {sounds.file === ''
            ? t('page.fileHint', { size: formats.bytes(SOUND_FILE_BYTES) })
            : t('page.fileKept', { name: sounds.file })}
          {error === undefined ? null : (
            <span role="alert" className={styles['wrong']}>
              {error}
            </span>
          )}
        </>
      }
    >
      <span className={styles['buttons']}>
        <Button onClick={() => field.current?.click()}>{t('page.fileChoose')}</Button>
        {sounds.file === '' ? null : <Button onClick={drop}>{t('page.fileRemove')}</Button>}
        <input
          ref={field}
          type="file"
          accept="audio/*"
          hidden
          aria-label={t('page.fileChoose')}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            currentTarget.value = ''
            if (file !== undefined) void take(file)
          }}
        />
      </span>
    </SettingRow>
  )
}

type FileFault = { readonly why: 'fileLarge' | 'fileLong' | 'fileUnreadable'; readonly size: number }

/** Imports a file and plays it once; when refused, the previous file stays. */
function useOwnFile() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const play = usePlay()
  const formMessage = useRemark((own: FileFault) =>
    t(`page.${own.why}`, { size: formats.bytes(own.size), most: formats.bytes(SOUND_FILE_BYTES) }),
  )
  const take = async (file: File): Promise<void> => {
    formMessage.clear()
    if (file.size > SOUND_FILE_BYTES) {
      return formMessage.show({ why: 'fileLarge', size: file.size })
    }
    const bytes = new Uint8Array(await file.arrayBuffer())
    const judged = await checkSound(bytes)
    if (judged !== 'good') {
      return formMessage.show({ why: judged === 'long' ? 'fileLong' : 'fileUnreadable', size: file.size })
    }
    const saved = await dispatch(saveSound({ name: file.name.slice(-255), base64: toBase64(bytes) }))
    if (saved.ok) await play('file')
    else formMessage.refuse(saved.error)
  }
  const drop = (): void => {
    formMessage.clear()
    void dispatch(dropSound())
  }
  return { error: formMessage.text, take, drop }
}

/** The notification settings, and a function that changes some. */
export function useChoices(): readonly [NotificationChoices, (changes: Partial<NotificationChoices>) => void] {
  const dispatch = useAppDispatch()
  const { notifications } = useSettings()
  return [
    notifications,
    (changes) => void dispatch(updateSettings({ notifications: { ...notifications, ...changes } })),
  ]
}
