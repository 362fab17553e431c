import { useId, useState } from 'react'
import { PLACE_NAME_LENGTH } from '#shared/domain/place.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { PRECISIONS, RADIUS_M, SHARE_PRESETS_MS } from '#shared/rules/locations/locations.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { asSentence } from '../../lib/text/rich.tsx'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useChannel, useMe } from '../../store/hooks.ts'
import { JUST_SENT } from '../../store/command.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { Segments, Select } from '../../ui/Choice/Choice.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { channelTitle } from '../sidebar/index.ts'
import { Portrait } from '../people/index.ts'
import { usePlaceForm, type Length, type PlaceForm, type TakenPlace, useSavedPlaces } from './use-place-form.ts'
import { WorldMap } from './WorldMap.tsx'
import styles from './Location.module.css'
import { isBlank } from '#shared/lib/clean-text.ts'

/** Shares a location in a channel, once or live. The input is preserved if sharing fails. */
export function LocationDialog({ cid, from }: { readonly cid: Cid; readonly from?: TakenPlace }) {
  const t = useTexts('locations')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const form = usePlaceForm(cid, from)
  const close = (): void => void dispatch(dialogClosed())
  const submit = async (): Promise<void> => {
    if (!(await form.submit())) return
    announce(t(form.offline ? 'waits' : 'shared'))
    close()
  }
  return (
    <Dialog
      width={664}
      title={t('title')}
      onClose={close}
      onSubmit={() => void submit()}
      hint={
        form.failure === undefined ? (
          <Audience cid={cid} form={form} />
        ) : (
          <span className={styles['failure']} role="alert">
            {asSentence(errorText(form.failure))} {t('kept')}
          </span>
        )
      }
      actions={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" working={form.working} aria-disabled={!form.canShare}>
            {t(form.failure?.code === JUST_SENT ? 'again' : 'share')}
          </Button>
        </>
      }
    >
      <PickMap form={form} />
      <div className={styles['pair']}>
        <TextField
          label={t('latitude')}
          value={form.typed.latitude}
          autoComplete="off"
          onChange={(text) => form.type('latitude', text)}
          error={form.problems.latitude ? t('badLatitude') : undefined}
        />
        <TextField
          label={t('longitude')}
          value={form.typed.longitude}
          autoComplete="off"
          onChange={(text) => form.type('longitude', text)}
          error={form.problems.longitude ? t('badLongitude') : undefined}
        />
      </div>
      <div className={styles['origin']}>
        <Source form={form} />
        <SavedPlaces form={form} />
      </div>
      <div className={styles['terms']}>
        <ShareFor form={form} />
        <OthersSee form={form} />
      </div>
    </Dialog>
  )
}

/** How exact the place is that is sent. */
function OthersSee({ form }: { readonly form: PlaceForm }) {
  const t = useTexts('locations')
  return (
    <div className={styles['length']}>
      <div className={styles['label']}>{t('precision')}</div>
      <Select
        label={t('precision')}
        value={form.precision}
        choices={PRECISIONS.map((value) => ({ value, label: t(`precisions.${value}`) }))}
        onChange={form.setPrecision}
      />
      <p className={styles['hint']}>{t(`precisionHints.${form.precision}`)}</p>
    </div>
  )
}

function Audience({ cid, form }: { readonly cid: Cid; readonly form: PlaceForm }) {
  const t = useTexts('locations')
  const channel = useChannel(cid)
  const place = useAppSelector((state) => channelTitle(state, cid))
  if (!form.chosen) return t('choose')
  if (form.offline) return t(form.forMs === undefined ? 'offline' : 'offlineLive')
  return t('audience', { place, count: channel?.memberCount ?? 0 })
}

function PickMap({ form }: { readonly form: PlaceForm }) {
  const t = useTexts('locations')
  const me = useMe()
  const id = useId()
  return (
    <>
      <div className={styles['pick']}>
        <WorldMap
          at={form.pin}
          span={form.span}
          ratio={616 / 300}
          accuracyM={Math.max(RADIUS_M[form.precision], form.accuracy ?? 0)}
          label={t('map')}
          describedBy={id}
          onMove={form.moveTo}
          onZoom={form.zoom}
          tools={3}
        >
          {me === undefined ? null : <Portrait userId={me.id} size={36} />}
        </WorldMap>
        <div className={styles['tools']}>
          <IconButton icon="plus" label={t('closer')} onClick={() => form.zoom(1)} />
          <IconButton icon="minus" label={t('farther')} onClick={() => form.zoom(-1)} />
          <IconButton
            icon="navigation"
            label={t('locate')}
            aria-busy={form.asking || undefined}
            onClick={() => void form.locate()}
          />
        </div>
      </div>
      <p id={id} className="sr-only">
        {t('mapHint')}
      </p>
    </>
  )
}

/** The source of the coordinates, or why the device's position is not available. */
function Source({ form }: { readonly form: PlaceForm }) {
  const t = useTexts('locations')
  const { number } = useFormats()
  if (form.noPosition !== undefined) {
    return (
      <p className={styles['warning']} role="alert">
        {t(`noPosition.${form.noPosition}`)}
      </p>
    )
  }
  if (form.asking) return <output className={styles['hint']}>{t('asking')}</output>
  if (form.accuracy === undefined) return <p className={styles['hint']}>{t('typedHint')}</p>
  return <p className={styles['hint']}>{t('accuracy', { metres: number(Math.round(form.accuracy)) })}</p>
}

function ShareFor({ form }: { readonly form: PlaceForm }) {
  const t = useTexts('locations')
  const formats = useFormats()
  const now = useMinute()
  const { length: problem } = form.problems
  const choices: readonly { value: Length; label: string }[] = [
    { value: 'once', label: t('once') },
    ...SHARE_PRESETS_MS.map((ms) => ({ value: String(ms) as Length, label: lengthText(t, ms) })),
    { value: 'custom', label: t('custom') },
  ]
  return (
    <div className={styles['length']}>
      <div className={styles['label']}>{t('shareFor')}</div>
      <Segments label={t('shareFor')} block value={form.length} choices={choices} onChange={form.setLength} />
      {form.length === 'custom' ? (
        <div className={styles['minutes']}>
          <TextField
            label={t('minutes')}
            value={form.minutes}
            inputMode="decimal"
            onChange={form.setMinutes}
            error={problem === undefined ? undefined : t(`length.${problem}`)}
          />
        </div>
      ) : null}
      {form.forMs === undefined ? null : (
        <div className={styles['device']}>
          <TextField
            label={t('device')}
            optional={t('optional')}
            hint={t('deviceHint')}
            value={form.device}
            maxLength={PLACE_NAME_LENGTH}
            autoComplete="off"
            onChange={form.setDevice}
          />
        </div>
      )}
      <p className={styles['hint']}>
        {form.forMs === undefined
          ? t('onceHint')
          : problem === undefined
            ? t('liveHint', { time: formats.weekdayAndTime(now + form.forMs) })
            : t('shortest')}
      </p>
    </div>
  )
}

function lengthText(t: ReturnType<typeof useTexts<'locations'>>, ms: number): string {
  const minutes = ms / 60_000
  return minutes < 60 ? t('minutesShort', { count: minutes }) : t('hours', { count: minutes / 60 })
}

/** Ref callback: focuses the field when it appears. */
const focused = (field: HTMLInputElement | null): void => field?.focus()

/** Named places, stored on this device: a click moves the pin there. */
function SavedPlaces({ form }: { readonly form: PlaceForm }) {
  const t = useTexts('locations')
  const { places, save: savePlace, forget } = useSavedPlaces()
  const [name, setName] = useState<string>()
  const save = (): void => {
    if (name === undefined || isBlank(name)) return
    savePlace({ name: name.trim(), ...form.pin })
    setName(undefined)
  }
  return (
    <div className={styles['saved']}>
      {places.length === 0 ? null : (
        <ul className={styles['places']} aria-label={t('places')}>
          {places.map((place) => (
            <li key={place.name}>
              <Button size="small" icon="map-pin" onClick={() => form.moveTo(place, { span: Math.min(form.span, 4) })}>
                {place.name}
              </Button>
              <IconButton
                size="tiny"
                icon="x"
                label={t('forget', { name: place.name })}
                onClick={() => forget(place.name)}
              />
            </li>
          ))}
        </ul>
      )}
      {name === undefined ? (
        <Button
          size="small"
          variant="quiet"
          icon="bookmark"
          aria-disabled={!form.chosen}
          onClick={() => form.chosen && setName('')}
        >
          {t('savePlace')}
        </Button>
      ) : (
        <div className={styles['naming']}>
          <TextField
            label={t('placeName')}
            value={name}
            maxLength={PLACE_NAME_LENGTH}
            ref={focused}
            onChange={setName}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              save()
            }}
          />
          <Button size="small" onClick={save}>
            {t('save')}
          </Button>
        </div>
      )}
    </div>
  )
}
