//! Structs of other sizes than ours: from older and newer writers, damaged, and lent with too
//! little room.

use tengen_abi::{CodecError, Info, Limits, MoveCode, Reply, Verdict, Wire, read, write};

fn sized<const N: usize>(size: u32, fill: u8) -> [u8; N] {
    let mut bytes = [fill; N];
    bytes[..4].copy_from_slice(&size.to_le_bytes());
    bytes
}

#[test]
fn an_older_writers_struct_reads_with_zeros_at_the_end() {
    for size in 4..=Limits::SIZE as u32 {
        let bytes: [u8; 64] = sized(size, 0xff);
        let limits = Limits::from_bytes(&bytes).unwrap();
        let mut whole = [0; 64];
        whole[..size as usize].copy_from_slice(&bytes[..size as usize]);
        whole[..4].copy_from_slice(&64u32.to_le_bytes());
        assert_eq!(limits.to_bytes(), whole, "size {size}");
    }
    // The host of minor 0 told no lag.
    let limits = Limits::from_bytes(&sized::<56>(56, 0x11)).unwrap();
    assert_eq!((limits.multipv, limits.lag_us), (0x1111_1111, 0));
}

#[test]
fn a_newer_writers_struct_reads_as_far_as_it_is_known() {
    let bytes: [u8; 80] = sized(80, 0x11);
    let limits = Limits::from_bytes(&bytes).unwrap();
    assert_eq!((limits.size, limits.multipv), (64, 0x1111_1111));
}

#[test]
fn a_size_below_four_is_refused() {
    for size in 0..4 {
        let bytes: [u8; 64] = sized(size, 0);
        assert_eq!(Limits::from_bytes(&bytes), Err(CodecError::TooSmall { size }));
        let limits = Limits { size, ..Limits::ZERO };
        // SAFETY: the struct is larger than it claims.
        assert_eq!(unsafe { read(&raw const limits) }, Err(CodecError::TooSmall { size }));
    }
}

#[test]
fn a_size_beyond_the_bytes_is_refused() {
    let bytes: [u8; 64] = sized(65, 0);
    let refused = Err(CodecError::Truncated { size: 65, have: 64 });
    assert_eq!(Limits::from_bytes(&bytes), refused);
    assert_eq!(Limits::from_bytes(&[]), Err(CodecError::Truncated { size: 4, have: 0 }));
    assert_eq!(Limits::from_bytes(&[64, 0, 0]), Err(CodecError::Truncated { size: 4, have: 3 }));
}

#[test]
fn writing_stops_at_the_capacity() {
    #[repr(C, align(8))]
    struct Lent([u8; 64]);
    let reply = Reply { mv: MoveCode::xy(7, 7), nodes: u64::MAX, depth: 3, ..Reply::ZERO };
    for capacity in 12..=64 {
        let mut lent = Lent(sized(capacity, 0xcc));
        // SAFETY: 64 bytes are lent, and no more than that are claimed.
        unsafe { write(lent.0.as_mut_ptr().cast::<Reply>(), &reply, 12) }.unwrap();
        let written = capacity.min(48);
        assert_eq!(lent.0[..4], written.to_le_bytes(), "the size written");
        assert_eq!(lent.0[4..written as usize], reply.to_bytes()[4..written as usize]);
        assert!(lent.0[written as usize..].iter().all(|&byte| byte == 0xcc), "{capacity}");
    }
    for capacity in 0..12 {
        let mut lent = Lent(sized(capacity, 0xcc));
        // SAFETY: as above.
        let refused = unsafe { write(lent.0.as_mut_ptr().cast::<Reply>(), &reply, 12) };
        assert_eq!(refused, Err(CodecError::TooSmall { size: capacity }));
        assert!(lent.0[4..].iter().all(|&byte| byte == 0xcc));
    }
}

#[test]
fn a_variation_follows_its_info_wherever_that_ends() {
    let info = Info { pv_len: 2, ..Info::ZERO };
    let mut newer = [&info.to_bytes()[..], &[9; 8], &[7, 8, 6, 5]].concat();
    newer[0] = 64;
    let (read, variation) = Info::split(&newer).unwrap();
    assert_eq!(read, info);
    assert!(variation.eq([MoveCode::xy(7, 8), MoveCode::xy(6, 5)]));
}

#[test]
fn a_variation_longer_than_its_message_is_refused() {
    for pv_len in [3, u32::MAX] {
        let info = Info { pv_len, ..Info::ZERO };
        let message = [&info.to_bytes()[..], &[0; 4]].concat();
        let refused = Info::split(&message).map(|_| ()).unwrap_err();
        assert_eq!(refused, CodecError::Truncated { size: 56, have: 60 });
    }
}

#[test]
fn a_verdict_that_counts_too_many_stones_has_no_more_than_there_are() {
    let verdict = Verdict { count: u32::MAX, ..Verdict::default() };
    assert_eq!(verdict.stones().len(), 32);
}

/// Bytes of every kind come from pipes and guests, so no bytes may panic.
#[test]
fn any_bytes_read_or_are_refused() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for round in 0..20_000 {
        let bytes: Vec<u8> = (0..round % 100)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 56) as u8 >> (state >> 40 & 7)
            })
            .collect();
        if let Ok((info, variation)) = Info::split(&bytes) {
            assert_eq!(variation.count(), info.pv_len as usize);
            assert_eq!(Info::from_bytes(&info.to_bytes()), Ok(info));
        }
    }
}
