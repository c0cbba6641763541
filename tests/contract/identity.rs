//! Authentication: tokens, cookies, and cross-site requests. Tokens of another library, and attacks with it,
//! are in `tests/worker/identity.test.js`.

use einmal::domain::{Actor, Credential, Hex128};
use einmal::wire::{
    Caller, Secret, Unauthenticated, address_block, authenticate, check_actor_id, ended_session,
    reject_cross_site, rejection, session, session_cookie, sign, verify,
};

use crate::prelude::test;

const NOW_S: u64 = 1_800_000_000;

fn secret(byte: char) -> Secret {
    Secret::new(&byte.to_string().repeat(32)).unwrap()
}

fn somebody() -> Actor {
    Actor::parse("s_somebody").unwrap()
}

fn program() -> Actor {
    Actor::parse("t_program").unwrap()
}

#[test]
fn an_actor_has_a_name_of_one_form() {
    for name in ["ab", "s_0", "t_a-b_c", &"a".repeat(41)] {
        assert_eq!(Actor::parse(name).unwrap().as_str(), name);
    }
    for name in ["", "a", "1a", "_a", "A1", "a.b", "a@b", "a b", "ab\0", "aé", &"a".repeat(42)] {
        assert_eq!(Actor::parse(name), None, "{name:?}");
    }
    assert_eq!(Actor::new_session(&Hex128::from_random([7; 16])).as_str(), format!("s_{}", "07".repeat(16)));
}

/// The digits: printf s_somebody | sha256sum | cut -c 1-16
#[test]
fn an_actor_id_is_a_plain_hash_so_it_survives_a_rotation_of_secrets() {
    assert_eq!(somebody().actor_id(), "50c7da46ff07cf75");
}

#[test]
fn a_secret_has_at_least_32_bytes() {
    assert!(Secret::new(&"x".repeat(31)).is_none());
    assert!(Secret::new(&"x".repeat(32)).is_some());
    assert_eq!(format!("{:?}", secret('x')), "Secret(…)", "a secret is never printed");
}

#[test]
fn a_token_is_valid_for_its_audience_until_it_expires() {
    let token = sign(&somebody(), Credential::Session, NOW_S + 10, &secret('a'));
    let check = |credential, now_s| verify(&token, credential, &[secret('a')], now_s);
    assert_eq!(check(Credential::Session, NOW_S), Ok(somebody()));
    assert_eq!(check(Credential::Session, NOW_S + 9), Ok(somebody()));
    assert_eq!(check(Credential::Session, NOW_S + 10), Err(Unauthenticated::Expired));
    assert_eq!(
        check(Credential::Token, NOW_S),
        Err(Unauthenticated::WrongAudience),
        "a session token is not a bearer token"
    );
    let bearer = sign(&program(), Credential::Token, NOW_S + 10, &secret('a'));
    assert_eq!(verify(&bearer, Credential::Token, &[secret('a')], NOW_S), Ok(program()));
    assert_eq!(
        verify(&bearer, Credential::Session, &[secret('a')], NOW_S),
        Err(Unauthenticated::WrongAudience)
    );
}

/// These were signed by another program: Python's hmac, with 32 times the letter a.
#[test]
fn a_token_has_one_form_and_a_maximum_length_even_if_its_signature_is_right() {
    for (expected, what, token) in [
        (
            Ok(somebody()),
            "as issued here",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTB9.E4mS9mSfLzK6MCjuvYr4riKReZSF0O5sMG5dk9F4rZI",
        ),
        (
            Ok(somebody()),
            "without a type",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTB9.6Ste4N4ygg2QyEGdXrfN98bmowhFyiXQwK5dOX52XAg",
        ),
        (
            Ok(somebody()),
            "valid from now on",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTAsIm5iZiI6MTgwMDAwMDAwMH0.lGrCG9O4Rnk-cGRtygF3tVlLWTBVrniKe8evfCHY-4c",
        ),
        (
            Ok(somebody()),
            "with another claim",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTAsImlhdCI6MTgwMDAwMDAwMH0.6eelrnXWo6-jKx25LwP9vjmmHsSpZICBXmbDr8XYaSo",
        ),
        (
            Err(Unauthenticated::NotYetValid),
            "not yet valid",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTAsIm5iZiI6MTgwMDAwMDAwMX0.Bc3oMBCNZliG0XZH44OAnHp2WEUXrhpXkkfCFlRwKBU",
        ),
        (
            Err(Unauthenticated::Malformed),
            "another algorithm",
            "eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTB9.awQxJkRCL8eR6QF6ZVUX8iysLhDEaeQFyw-7G5S1l9I",
        ),
        (
            Err(Unauthenticated::Malformed),
            "another type",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXUyJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTB9.nV1NhZrknYP6yB-u9-TrKhsHwbuOZ-u8Rb1w27tmJkA",
        ),
        (
            Err(Unauthenticated::Malformed),
            "another header",
            "eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTB9.fc2v6mp88IcLhIGK89LgAI_N8UBCG8JUaKSF9EAKNTM",
        ),
        (
            Err(Unauthenticated::Expired),
            "expired",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMDB9.vKDB42h-pJqCStyIs4WcBc4nUlcG8Lh4BLF8eKIc75Y",
        ),
        (
            Err(Unauthenticated::Malformed),
            "too long",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzX3NvbWVib2R5IiwiYXVkIjoiZWlubWFsLXNlc3Npb24iLCJleHAiOjE4MDAwMDAwMTAsIngiOiJ4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHgifQ.WLnz53wrkJ8Ue771u8vMMmAoynyEokVMlu_rQ9F3o9A",
        ),
    ] {
        let found = verify(token, Credential::Session, &[secret('a')], NOW_S);
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn a_token_of_one_credential_cannot_name_an_actor_of_the_other() {
    let token = sign(&program(), Credential::Session, NOW_S + 10, &secret('a'));
    assert_eq!(
        verify(&token, Credential::Session, &[secret('a')], NOW_S),
        Err(Unauthenticated::WrongAudience)
    );
}

#[test]
fn a_secret_is_rotated_without_ending_sessions() {
    let token = sign(&somebody(), Credential::Session, NOW_S + 10, &secret('a'));
    let check = |secrets: &[Secret]| verify(&token, Credential::Session, secrets, NOW_S);
    assert_eq!(check(&[secret('b'), secret('a')]), Ok(somebody()));
    assert_eq!(check(&[secret('b')]), Err(Unauthenticated::BadSignature));
    assert_eq!(check(&[]), Err(Unauthenticated::BadSignature));
}

/// A change of one character makes another token, except where base64 has several encodings of the same
/// bytes; those are refused as well.
#[test]
fn a_token_with_any_character_changed_is_refused() {
    let token = sign(&somebody(), Credential::Session, NOW_S + 10, &secret('a'));
    for at in 0..token.len() {
        for replacement in ["A", "B", "_", ".", "=", " ", ""] {
            let changed = format!("{}{replacement}{}", &token[..at], &token[at + 1..]);
            let found = verify(&changed, Credential::Session, &[secret('a')], NOW_S);
            assert!(changed == token || found.is_err(), "{at} {replacement}");
        }
        assert!(verify(&token[..at], Credential::Session, &[secret('a')], NOW_S).is_err());
    }
    assert_eq!(
        verify(&format!("{token}{}", "A".repeat(5_000)), Credential::Session, &[secret('a')], NOW_S),
        Err(Unauthenticated::Malformed)
    );
}

/// The actor of these headers.
fn found(authorization: Option<&str>, cookie: Option<&str>) -> Result<String, Unauthenticated> {
    let found = authenticate(authorization, cookie, &[secret('a')], NOW_S);
    found.map(|Caller { actor, .. }| actor.as_str().to_owned())
}

#[test]
fn the_session_cookie_is_found_among_others_and_ignored_if_it_is_sent_twice() {
    let cookie = session_cookie(&somebody(), &secret('a'), NOW_S);
    let pair = cookie.split(';').next().unwrap();
    for header in [pair, &format!("a=b; {pair}"), &format!("{pair}; a=b"), &format!("a=b;{pair};c")] {
        assert_eq!(found(None, Some(header)), Ok("s_somebody".to_owned()), "{header}");
    }
    let other = session_cookie(&Actor::parse("s_other").unwrap(), &secret('a'), NOW_S);
    let other = other.split(';').next().unwrap();
    use Unauthenticated::{BadSignature, Malformed, Missing, SentTwice};
    for (reason, header) in [
        (Missing, ""),
        (Malformed, "__Host-einmal="),
        (SentTwice, &format!("{pair}; {other}")),
        (SentTwice, &format!("{pair}; {pair}")),
        (SentTwice, &format!("{pair}; __Host-einmal=x")),
        (Missing, &pair.replace("__Host-", "")),
        (Missing, &pair.replace("__Host-", "__host-")),
        (Missing, &format!("a{pair}")),
        (BadSignature, &format!("{pair}, {other}")),
    ] {
        assert_eq!(found(None, Some(header)), Err(reason), "{header}");
    }
    assert_eq!(found(None, None), Err(Missing));
}

#[test]
fn with_an_authorization_header_the_cookie_is_ignored() {
    let cookie = session_cookie(&somebody(), &secret('a'), NOW_S);
    let cookie = cookie.split(';').next();
    let token = sign(&program(), Credential::Token, NOW_S + 10, &secret('a'));
    let session = sign(&somebody(), Credential::Session, NOW_S + 10, &secret('a'));
    assert_eq!(found(Some(&format!("Bearer {token}")), cookie), Ok("t_program".to_owned()));
    assert_eq!(found(Some(&format!("bearer {token}")), None), Ok("t_program".to_owned()));
    use Unauthenticated::{Malformed, WrongAudience};
    for (reason, header) in [
        (Malformed, ""),
        (Malformed, "Bearer"),
        (Malformed, "Bearer "),
        (Malformed, "Bearer x"),
        (Malformed, &token),
        (Malformed, &format!("Basic {token}")),
        (WrongAudience, &format!("Bearer {session}")),
    ] {
        assert_eq!(found(Some(header), cookie), Err(reason), "{header}");
    }
}

#[test]
fn a_session_lasts_400_days_and_its_cookie_is_for_this_host_alone() {
    let cookie = session_cookie(&somebody(), &secret('a'), NOW_S);
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert!(pair.starts_with("__Host-einmal="));
    assert_eq!(attributes, "Path=/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax");
    let token = pair.split_once('=').unwrap().1;
    let days = |days: u64| NOW_S + days * 86_400;
    assert!(verify(token, Credential::Session, &[secret('a')], days(400) - 1).is_ok());
    assert!(verify(token, Credential::Session, &[secret('a')], days(400)).is_err());
}

#[test]
fn the_session_document_has_the_actor_id_and_the_answer_sets_the_cookie() {
    let cookie = session_cookie(&somebody(), &secret('a'), NOW_S);
    let answer = session(&somebody(), Some(cookie.clone()));
    assert_eq!(answer.body, format!(r#"{{"actor":"{}"}}"#, somebody().actor_id()));
    assert_eq!(answer.set_cookie, Some(cookie));
    assert_eq!(session(&program(), None).set_cookie, None, "a program needs no cookie");
}

#[test]
fn ending_a_session_removes_the_cookie() {
    let answer = ended_session();
    assert_eq!(answer.body, r#"{"actor":null}"#);
    let cookie = answer.set_cookie.unwrap();
    assert_eq!(cookie, "__Host-einmal=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax");
}

#[test]
fn a_cross_site_request_is_rejected() {
    const URL: &str = "https://einmal.example/reserve";
    for (is_accepted, fetch_site, origin) in [
        (true, None, None),
        (true, Some("same-origin"), Some("https://einmal.example")),
        (true, Some("same-origin"), None),
        (true, Some("none"), None),
        (true, None, Some("https://einmal.example")),
        (false, Some("cross-site"), None),
        (false, Some("same-site"), None),
        (false, Some(""), None),
        (false, Some("cross-site"), Some("https://einmal.example")),
        (false, Some("same-origin"), Some("https://other.example")),
        (false, None, Some("null")),
        (false, None, Some("")),
        (false, None, Some("http://einmal.example")),
        (false, None, Some("https://einmal.example:8443")),
        (false, None, Some("https://einmal.exampl")),
        (false, None, Some("https://einmal.example.org")),
        (false, None, Some("https://einmal.example/")),
        (false, None, Some("https://einmal.example, https://einmal.example")),
    ] {
        let expected = if is_accepted { Ok(()) } else { Err(rejection::CROSS_SITE) };
        assert_eq!(reject_cross_site(fetch_site, origin, URL), expected, "{fetch_site:?} {origin:?}");
    }
}

#[test]
fn an_operation_saved_by_one_actor_is_rejected_for_another() {
    assert_eq!(check_actor_id(None, &somebody()), Ok(()));
    assert_eq!(check_actor_id(Some(&somebody().actor_id()), &somebody()), Ok(()));
    for actor_id in ["", "s_somebody", &program().actor_id(), &somebody().actor_id()[..8]] {
        assert_eq!(check_actor_id(Some(actor_id), &somebody()), Err(rejection::ACTOR_CHANGED), "{actor_id}");
    }
}

#[test]
fn an_ipv6_address_is_counted_by_its_64_prefix() {
    for (address, block) in [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:0DB8:0001:0002::ffff", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"),
    ] {
        assert_eq!(address_block(address), block);
    }
}
