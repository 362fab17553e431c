import { expect, test } from 'vitest'
import { hourIn, isNightIn, isTimeZone } from './local-time.ts'

const at = Date.UTC(2026, 6, 1, 22, 30)

test('the hour elsewhere is that of its time zone; an unknown zone has none', () => {
  expect(hourIn('Europe/Warsaw', at)).toBe(0)
  expect(hourIn('UTC', at)).toBe(22)
  expect(hourIn('Asia/Kolkata', at)).toBe(4)
  expect(hourIn('Mars/Olympus', at)).toBeUndefined()
  expect(['Asia/Almaty', 'Mars/Olympus', ''].filter(isTimeZone)).toEqual(['Asia/Almaty'])
})

test('it is night from ten in the evening until eight in the morning, and nowhere in an unknown zone', () => {
  const times = ['21:59', '22:00', '07:59', '08:00']
  expect(times.filter((time) => isNightIn('UTC', Date.parse(`2026-07-01T${time}Z`)))).toEqual(['22:00', '07:59'])
  expect(isNightIn('Mars/Olympus', at)).toBe(false)
})

test('a thousand invented zones do not displace what is right', () => {
  for (let each = 0; each < 1_100; each += 1) expect(isTimeZone(`Invented/${each}`)).toBe(false)
  expect(hourIn('UTC', at)).toBe(22)
})
