/**
 * The smallest file that signers accept as a program for Windows: headers and one section of a single instruction
 * (`ret`), for 64 bits.
 */
export function smallProgram(): Buffer {
  const file = Buffer.alloc(0x400)
  const HEADERS = 0x40
  const OPTIONAL = HEADERS + 24
  const SECTION = OPTIONAL + 240
  file.write('MZ', 0, 'latin1')
  file.writeUInt32LE(HEADERS, 0x3c)
  file.write('PE\0\0', HEADERS, 'latin1')
  file.writeUInt16LE(0x8664, HEADERS + 4)
  file.writeUInt16LE(1, HEADERS + 6)
  file.writeUInt16LE(240, HEADERS + 20)
  // Executable, for 64 bits only.
  file.writeUInt16LE(0x0022, HEADERS + 22)
  file.writeUInt16LE(0x020b, OPTIONAL)
  file.writeUInt32LE(0x200, OPTIONAL + 4)
  file.writeUInt32LE(0x1000, OPTIONAL + 16)
  file.writeUInt32LE(0x1000, OPTIONAL + 20)
  file.writeBigUInt64LE(0x140000000n, OPTIONAL + 24)
  file.writeUInt32LE(0x1000, OPTIONAL + 32)
  file.writeUInt32LE(0x200, OPTIONAL + 36)
  file.writeUInt16LE(6, OPTIONAL + 40)
  file.writeUInt16LE(6, OPTIONAL + 48)
  file.writeUInt32LE(0x2000, OPTIONAL + 56)
  file.writeUInt32LE(0x200, OPTIONAL + 60)
  file.writeUInt16LE(3, OPTIONAL + 68)
  file.writeUInt32LE(16, OPTIONAL + 108)
  file.write('.text', SECTION, 'latin1')
  file.writeUInt32LE(1, SECTION + 8)
  file.writeUInt32LE(0x1000, SECTION + 12)
  file.writeUInt32LE(0x200, SECTION + 16)
  file.writeUInt32LE(0x200, SECTION + 20)
  file.writeUInt32LE(0x60000020, SECTION + 36)
  file[0x200] = 0xc3
  return file
}
