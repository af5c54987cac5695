//! What people write in settings: players, tournaments, addresses, commands, positions.

use matches::{Address, Launch};
use players::Spec;
use tactics::Sheet;

/// The text is read as every kind of setting, or refused with an error. What can be printed is
/// read as the same again.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        match line.parse::<Spec>() {
            Ok(spec) => assert_eq!(spec.to_string().parse(), Ok(spec)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        if let Ok(address) = line.parse::<Address>() {
            assert_eq!(format!("http://{address}").parse(), Ok(address));
        }
        let _ = Launch::parse(line);
    }
    if let Ok(config) = toml::from_str::<arena::Config>(&text) {
        let _ = config.check();
        let written = toml::to_string(&config).expect("what was read can be written");
        assert_eq!(toml::from_str(&written), Ok(config), "written as {written}");
    }
    if let Ok(sheet) = Sheet::parse(&text) {
        let written = sheet.to_string();
        let again = Sheet::parse(&written).expect("what is printed can be read");
        assert_eq!(again.to_string(), written);
    }
}
