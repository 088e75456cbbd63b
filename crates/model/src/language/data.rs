//! The data of the language table (`docs/spec/languages.md#the-language-table`).

/// The built-in languages in rank order, one per line: code, English name and index in [`PLURALS`], separated by tabs.
pub(super) const LANGUAGES: &str = include_str!("languages.tsv");

/// The plural rules as in the gettext header `Plural-Forms`, most common first.
pub(super) const PLURALS: [&str; 30] = [
    "nplurals=2; plural=n != 1",
    "nplurals=1; plural=0",
    "nplurals=2; plural=n > 1",
    "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2",
    "nplurals=3; plural=(n == 1) ? 0 : ((n == 2) ? 1 : 2)",
    "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5",
    "nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2",
    "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2",
    "nplurals=4; plural=(n % 100 == 1) ? 0 : ((n % 100 == 2) ? 1 : ((n % 100 == 3 || n % 100 == 4) ? 2 : 3))",
    "nplurals=2; plural=n != 1 && n != 2 && n != 3 && (n % 10 == 4 || n % 10 == 6 || n % 10 == 9)",
    "nplurals=3; plural=n==0 ? 0 : n==1 ? 1 : 2",
    "nplurals=3; plural=(n % 10 == 0 || n % 100 >= 11 && n % 100 <= 19) ? 0 : ((n % 10 == 1 && n % 100 != 11) ? 1 : 2)",
    "nplurals=6; plural=(n == 0) ? 0 : ((n == 1) ? 1 : ((n == 2) ? 2 : ((n % 100 >= 3 && n % 100 <= 10) ? 3 : ((n % 100 >= 11 && n % 100 <= 99) ? 4 : 5))))",
    "nplurals=5; plural=(n % 10 == 1 && n % 100 != 11 && n % 100 != 71 && n % 100 != 91) ? 0 : ((n % 10 == 2 && n % 100 != 12 && n % 100 != 72 && n % 100 != 92) ? 1 : ((((n % 10 == 3 || n % 10 == 4) || n % 10 == 9) && (n % 100 < 10 || n % 100 > 19) && (n % 100 < 70 || n % 100 > 79) && (n % 100 < 90 || n % 100 > 99)) ? 2 : ((n != 0 && n % 1000000 == 0) ? 3 : 4)))",
    "nplurals=6; plural=(n==0) ? 0 : (n==1) ? 1 : (n==2) ? 2 : (n==3) ? 3 :(n==6) ? 4 : 5",
    "nplurals=5; plural=n==1 ? 0 : n==2 ? 1 : (n>2 && n<7) ? 2 :(n>6 && n<11) ? 3 : 4",
    "nplurals=4; plural=(n==1 || n==11) ? 0 : (n==2 || n==12) ? 1 : (n > 2 && n < 20) ? 2 : 3",
    "nplurals=4; plural=(n % 10 == 1) ? 0 : ((n % 10 == 2) ? 1 : ((n % 100 == 0 || n % 100 == 20 || n % 100 == 40 || n % 100 == 60 || n % 100 == 80) ? 2 : 3))",
    "nplurals=4; plural=(n == 1) ? 0 : ((n == 2) ? 1 : ((n > 10 && n % 10 == 0) ? 2 : 3))",
    "nplurals=2; plural=n % 10 != 1 || n % 100 == 11",
    "nplurals=3; plural=(n == 0) ? 0 : ((n == 1) ? 1 : 2)",
    "nplurals=3; plural=(n % 10 == 1 && (n % 100 < 11 || n % 100 > 19)) ? 0 : ((n % 10 >= 2 && n % 10 <= 9 && (n % 100 < 11 || n % 100 > 19)) ? 1 : 2)",
    "nplurals=2; plural=n==1 || n%10==1 ? 0 : 1",
    "nplurals=4; plural=n==1 ? 0 : n==0 || ( n%100>1 && n%100<11) ? 1 : (n%100>10 && n%100<20 ) ? 2 : 3",
    "nplurals=3; plural=n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2",
    "nplurals=3; plural=(n == 1) ? 0 : ((n == 0 || n != 1 && n % 100 >= 1 && n % 100 <= 19) ? 1 : 2)",
    "nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2",
    "nplurals=3; plural=(n == 0 || n == 1) ? 0 : ((n >= 2 && n <= 10) ? 1 : 2)",
    "nplurals=4; plural=n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3",
    "nplurals=2; plural=n >= 2 && (n < 11 || n > 99)",
];

/// `alias=code` pairs, separated by spaces. Aliases are in lower case.
pub(super) const ALIASES: &str = "ar_ar=ar arabic=ar ba_ck=ba base=en be@latin=be_Latn be_rby=be_Latn braz_por=pt_BR bs_latn_ba=bs_Latn by=be \
    ca_es@valencia=ca@valencia ca_ps=ca chinese_chs=zh_Hans chinese_zh=zh_Hant cmn=zh_Hans de_fo=de_form dk=da \
    dutch_be=nl_BE en_en=en english=en english_uk=en_GB es_eu=eu french=fr german=de gr=el in=id indonesian=id \
    iw=he ji=yi jp=ja jpn=ja jw=jv korean=ko mo=ro_MD nb=nb_NO no=nb_NO no_nb=nb_NO norwegian=nb_NO polish=pl \
    portuguese_br=pt_BR portuguese_portugal=pt_PT rs=sr ru_r=ru ru_rr=ru russian=ru scc=sr schinese=zh_Hans scr=hr \
    serbian=sr serbo_croatian=sr_Latn sh=sr_Latn source=en spanish=es sr@cyrillic=sr_Cyrl sr@latin=sr_Latn \
    sr_cs=sr sr_latn_rs=sr_Latn sr_rs@cyrillic=sr_Cyrl sr_rs@latin=sr_Latn swe=sv tchinese=zh_Hant ua=uk \
    uz@latin=uz_Latn val_es=ca@valencia zh=zh_Hans zh_chs=zh_Hans zh_cmn_hans=zh_Hans zh_cmn_hant=zh_Hant \
    zh_cn=zh_Hans zh_hans_cn=zh_Hans zh_hk=zh_Hant_HK zh_tw=zh_Hant zho=zh_Hant";

/// Lower-case `language_country` pairs that mean the plain language (`docs/spec/languages.md#the-language-table`).
pub(super) const DEFAULT_COUNTRIES: &str = "af_za am_et ar_aa as_in az_az be_by bg_bg bo_bt br_fr bs_ba ca_es cs_cz cy_gb da_dk de_de ee_ee el_gr en_us \
    eo_xx es_es et_ee eu_es fa_ir fi_fi fo_fo fr_fr ga_ie gd_gb gl_es gv_gb he_il hi_in hr_hr hu_hu id_id in_id \
    is_is it_it iu_ca ja_jp ka_ge kl_gl km_kh kn_in ko_kr ks_in kw_gb ky_kg lo_la lt_lt lv_lv mi_nz mk_mk ml_in \
    mr_in ms_my mt_mt ne_np nl_nl nn_no no_no nr_za ny_no oc_fr or_in pa_in pd_us ph_ph pl_pl pp_an pt_pt ro_ro \
    ru_ru rw_rw sd_in si_lk sk_sk sl_si sq_al sr_rs ss_za st_za sv_se ta_in te_in tg_tj th_th tl_ph tn_za tr_tr \
    ts_za tt_ru uk_ua ur_in uz_uz ve_za vi_vn wa_be xh_za yi_us zu_za";

/// Base codes of languages written from right to left (`docs/spec/languages.md#writing-direction`).
pub(super) const RIGHT_TO_LEFT: [&str; 12] = [
    "ar", "arc", "ckb", "dv", "fa", "ha", "he", "ks", "ps", "ug", "ur", "yi",
];

/// Codes that pages do not append to the name (`docs/spec/languages.md#display-names`).
pub(super) const NO_CODE_SHOWN: &str = "ar_DZ ar_MA bs_Cyrl bs_Lant de_AT de_CH en_AU en_CA en_IE en_PH en_US es_AR es_MX es_PR es_US fr_CA nb_NO \
    nl_BE pt_BR pt_PT ro_MD sr_Cyrl sr_Latn zh_CN zh_Hans zh_Hant zh_TW";
